<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Activity</name>
    <message>
        <source>Solving</source>
        <translation>Löst</translation>
    </message>
    <message>
        <source>Solving: %1</source>
        <translation>Löst: %1</translation>
    </message>
    <message>
        <source>Sweeping: %1 of %2 plans</source>
        <translation>Budgetreihe: %1 von %2 Plänen</translation>
    </message>
</context>
<context>
    <name>Category</name>
    <message>
        <source>Parameter gradients</source>
        <translation>Parametergradienten</translation>
    </message>
    <message>
        <source>Kept activations</source>
        <translation>Behaltene Aktivierungen</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Recomputed activations</source>
        <translation>Neu berechnete Aktivierungen</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Hilfsspeicher</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Optimizer states</source>
        <translation>Zustände des Optimierers</translation>
    </message>
</context>
<context>
    <name>ChunkSolve</name>
    <message>
        <source>This graph has no operators, so nothing says how it can be cut into chunks. Open the trace (.pt2) it was made from.</source>
        <translation>Dieser Graph hat keine Operatoren, also sagt nichts, wie er sich in Teile schneiden lässt. Öffnen Sie die Aufzeichnung (.pt2), aus der er stammt.</translation>
    </message>
    <message>
        <source>Times are measured, and nothing was measured in chunks. Choose the costs of a device, or solve without chunks.</source>
        <translation>Die Zeiten sind gemessen, und in Teilen wurde nichts gemessen. Wählen Sie die Kosten eines Geräts, oder lösen Sie ohne Teile.</translation>
    </message>
    <message>
        <source>Decisions by hand are about ops, which chunks make others of. Drop them, or solve without chunks.</source>
        <translation>Entscheidungen von Hand gelten Ops, aus denen Teile andere machen. Nehmen Sie sie zurück, oder lösen Sie ohne Teile.</translation>
    </message>
</context>
<context>
    <name>ChunksText</name>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Teile</translation>
    </message>
    <message>
        <source>%1 and %2 chunks</source>
        <translation>%1 und %2 Teile</translation>
    </message>
    <message>
        <source>No plan in these chunks needs less than %1, and none in any chunks less than %2.</source>
        <translation>Kein Plan in diesen Teilen braucht weniger als %1, und keiner in irgendwelchen Teilen weniger als %2.</translation>
    </message>
    <message>
        <source>No plan of whole ops needs less than %1, and none in chunks less than %2.</source>
        <translation>Kein Plan ganzer Ops braucht weniger als %1, und keiner in Teilen weniger als %2.</translation>
    </message>
</context>
<context>
    <name>CompareView</name>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>Keep-all %1</source>
        <translation>Keep-all %1</translation>
    </message>
    <message>
        <source>%1 peak %2</source>
        <translation>%1: Spitze %2</translation>
    </message>
    <message>
        <source>A holds less below the line, more above</source>
        <translation>A belegt unterhalb der Linie weniger, oberhalb mehr</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>Both keep it until the backward pass reads it.</source>
        <translation>Beide behalten es, bis der Rückwärtslauf es liest.</translation>
    </message>
    <message>
        <source>Both drop it and compute it again, which costs %1.</source>
        <translation>Beide verwerfen es und berechnen es neu, was %1 kostet.</translation>
    </message>
    <message>
        <source>Both park it in host memory.</source>
        <translation>Beide lagern es in den Hauptspeicher aus.</translation>
    </message>
    <message>
        <source>Both keep a part and compute %1 of it again.</source>
        <translation>Beide behalten einen Teil und berechnen %1 davon neu.</translation>
    </message>
    <message>
        <source>Both free it after its last use.</source>
        <translation>Beide geben es nach der letzten Verwendung frei.</translation>
    </message>
    <message>
        <source>%1 keeps it and computes it again later, which costs %2.</source>
        <translation>%1 behält es und berechnet es später neu, was %2 kostet.</translation>
    </message>
    <message>
        <source>%1 keeps it until the backward pass reads it.</source>
        <translation>%1 behält es, bis der Rückwärtslauf es liest.</translation>
    </message>
    <message>
        <source>%1 drops it and computes it again, which costs %2.</source>
        <translation>%1 verwirft es und berechnet es neu, was %2 kostet.</translation>
    </message>
    <message>
        <source>%1 parks it in host memory.</source>
        <translation>%1 lagert es in den Hauptspeicher aus.</translation>
    </message>
    <message>
        <source>%1 keeps a part and computes %2 of it again.</source>
        <translation>%1 behält einen Teil und berechnet %2 davon neu.</translation>
    </message>
    <message>
        <source>%1 frees it after its last use.</source>
        <translation>%1 gibt es nach der letzten Verwendung frei.</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>Gemischt</translation>
    </message>
    <message>
        <source>Freed</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>At its peak A holds %1 of it, %2 holds %3 at its own.</source>
        <translation>A belegt davon an der eigenen Spitze %1, %2 an der eigenen %3.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 output %2</source>
        <translation>%1, Ausgabe %2</translation>
    </message>
</context>
<context>
    <name>CurveView</name>
    <message>
        <source>Peak of dynamic memory</source>
        <translation>Spitze des dynamischen Speichers</translation>
    </message>
    <message>
        <source>share of the keep-all peak</source>
        <translation>Anteil an der Keep-all-Spitze</translation>
    </message>
    <message>
        <source>Time overhead</source>
        <translation>Mehraufwand an Zeit</translation>
    </message>
    <message>
        <source>No plan can be here</source>
        <translation>Kein Plan möglich</translation>
    </message>
    <message>
        <source>lower bound on time</source>
        <translation>untere Zeitschranke</translation>
    </message>
    <message>
        <source>%1: no plan fits</source>
        <translation>%1: Kein Plan passt</translation>
    </message>
    <message>
        <source>Knee: %1 at %2</source>
        <translation>Knick: %1 bei %2</translation>
    </message>
    <message>
        <source>No plan of these ops</source>
        <translation>Kein Plan dieser Ops</translation>
    </message>
    <message>
        <source>Floor in chunks %1</source>
        <translation>Minimum in Teilen %1</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>Recomputing costs %1</source>
        <translation>Die Neuberechnung kostet %1</translation>
    </message>
    <message>
        <source>%1; keeping it would put the peak %2 over the budget.</source>
        <translation>%1; behalten würde es die Spitze um %2 über das Budget heben.</translation>
    </message>
    <message>
        <source>%1. Keeping it would fit, with a peak of %2, and save %3: a longer search may find that.</source>
        <translation>%1. Es zu behalten würde mit einer Spitze von %2 passen und %3 sparen: Eine längere Suche findet das vielleicht.</translation>
    </message>
    <message>
        <source>Why is %1 recomputed?</source>
        <translation>Warum wird %1 neu berechnet?</translation>
    </message>
    <message>
        <source>Dropped at step %1, needed at step %2 by %3.</source>
        <translation>Bei Schritt %1 verworfen, bei Schritt %2 von %3 gebraucht.</translation>
    </message>
    <message>
        <source>Dropped at step %1, needed at step %2.</source>
        <translation>Bei Schritt %1 verworfen, bei Schritt %2 gebraucht.</translation>
    </message>
    <message>
        <source>It is computed again %1 times in all; this is the longest time it is away.</source>
        <translation>Insgesamt wird es %1-mal neu berechnet; dies ist die längste Zeit, in der es fehlt.</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Dropping it would cost %1 to compute it again</source>
        <translation>Es zu verwerfen würde %1 für die Neuberechnung kosten</translation>
    </message>
    <message>
        <source>Dropping it would cost %1: %2 ops would have to be computed again</source>
        <translation>Es zu verwerfen würde %1 kosten: %2 Ops müssten neu berechnet werden</translation>
    </message>
    <message>
        <source>%1, and lower the peak by %2.</source>
        <translation>%1, und die Spitze um %2 senken.</translation>
    </message>
    <message>
        <source>%1, and raise the peak by %2.</source>
        <translation>%1, und die Spitze um %2 erhöhen.</translation>
    </message>
    <message>
        <source>%1, and would not lower the peak.</source>
        <translation>%1, und die Spitze nicht senken.</translation>
    </message>
    <message>
        <source>Why is %1 kept?</source>
        <translation>Warum wird %1 behalten?</translation>
    </message>
    <message>
        <source>Its %1 lie idle from step %2 until %3 reads them at step %4.</source>
        <translation>Die %1 liegen ab Schritt %2 ungenutzt, bis %3 sie bei Schritt %4 liest.</translation>
    </message>
    <message>
        <source>It is an output of the graph, which is held to the end.</source>
        <translation>Es ist eine Ausgabe des Graphen und wird bis zum Ende gehalten.</translation>
    </message>
    <message>
        <source>What makes it may be computed only once, so it must be kept.</source>
        <translation>Was es erzeugt, darf nur einmal berechnet werden; also muss es behalten werden.</translation>
    </message>
    <message>
        <source>Why is %1 offloaded?</source>
        <translation>Warum wird %1 ausgelagert?</translation>
    </message>
    <message>
        <source>Its %1 leave the device at step %2 and come back at step %3</source>
        <translation>Die %1 verlassen das Gerät bei Schritt %2 und kommen bei Schritt %3 zurück</translation>
    </message>
    <message>
        <source>%1, for %2 at step %3.</source>
        <translation>%1, für %2 bei Schritt %3.</translation>
    </message>
    <message>
        <source>A copy takes %1 each way, beside computing</source>
        <translation>Eine Kopie dauert je Richtung %1, neben dem Rechnen</translation>
    </message>
    <message>
        <source>%1; the plan waits %2 there.</source>
        <translation>%1; der Plan wartet dort %2.</translation>
    </message>
    <message>
        <source>%1; nothing waits for it.</source>
        <translation>%1; nichts wartet darauf.</translation>
    </message>
    <message>
        <source>Computing it again would take %1 of the device&apos;s own time, and what it reads.</source>
        <translation>Die Neuberechnung bräuchte %1 Rechenzeit des Geräts, und was sie liest.</translation>
    </message>
    <message>
        <source>What makes it may be computed only once.</source>
        <translation>Was es erzeugt, darf nur einmal berechnet werden.</translation>
    </message>
    <message>
        <source>What is %1?</source>
        <translation>Was ist %1?</translation>
    </message>
    <message>
        <source>It is a parameter, a buffer or an input of %1: always on the device, whatever the plan.</source>
        <translation>Es ist ein Parameter, ein Puffer oder eine Eingabe von %1: immer auf dem Gerät, bei jedem Plan.</translation>
    </message>
    <message>
        <source>What becomes of %1?</source>
        <translation>Was geschieht mit %1?</translation>
    </message>
    <message>
        <source>It is an output of the graph: computed once and held to the end.</source>
        <translation>Eine Ausgabe des Graphen: einmal berechnet und bis zum Ende gehalten.</translation>
    </message>
    <message>
        <source>It is computed once. What it makes is read right away or never, so there is nothing to decide.</source>
        <translation>Es wird einmal berechnet. Was es erzeugt, wird gleich gelesen oder nie, also gibt es nichts zu entscheiden.</translation>
    </message>
    <message>
        <source>%1 are kept</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>%1 are computed again</source>
        <translation>%1 neu berechnet</translation>
    </message>
    <message>
        <source>%1 wait in host memory</source>
        <translation>%1 im Hauptspeicher</translation>
    </message>
    <message>
        <source>Nothing of what it makes is held for the backward pass.</source>
        <translation>Nichts von dem, was hier entsteht, wird für den Rückwärtslauf gehalten.</translation>
    </message>
    <message>
        <source>Of what it makes for the backward pass %1.</source>
        <translation>Von dem, was hier für den Rückwärtslauf entsteht: %1.</translation>
    </message>
    <message>
        <source>%1 of its %2 ops are computed again, which adds %3 to every training step.</source>
        <translation>%1 von %2 Ops werden neu berechnet, was jeden Trainingsschritt um %3 verlängert.</translation>
    </message>
    <message>
        <source>None of its %1 ops is computed again.</source>
        <translation>Keine der %1 Ops wird neu berechnet.</translation>
    </message>
    <message>
        <source>It holds %1 at the peak, %2 of all.</source>
        <translation>An der Spitze belegt es %1, %2 von allem.</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>held to the end</source>
        <translation>bis zum Ende gehalten</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>niemand</translation>
    </message>
    <message>
        <source>What makes the peak?</source>
        <translation>Woraus besteht die Spitze?</translation>
    </message>
    <message>
        <source>At step %1, while %2 runs, %3 are held in %4 storages.</source>
        <translation>Bei Schritt %1, während %2 läuft, sind %3 in %4 Speicherbereichen belegt.</translation>
    </message>
    <message>
        <source>The largest %1 make up %2 of that.</source>
        <translation>Die größten %1 machen %2 davon aus.</translation>
    </message>
    <message>
        <source>While it runs, the op needs %1 of scratch memory besides.</source>
        <translation>Solange sie läuft, braucht die Op außerdem %1 Hilfsspeicher.</translation>
    </message>
    <message>
        <source>Nothing: everything fits, so nothing has to be computed again.</source>
        <translation>Nichts: Alles passt, also muss nichts neu berechnet werden.</translation>
    </message>
    <message>
        <source>The budget is the smallest there is: %1 alone needs %2.</source>
        <translation>Das Budget ist das kleinstmögliche: %1 allein braucht %2.</translation>
    </message>
    <message>
        <source>what is held at the end</source>
        <translation>was am Ende gehalten wird</translation>
    </message>
    <message>
        <source>Because of the budget: keeping everything needs %1 more. It is proven that no plan in this order of ops adds less than %2.</source>
        <translation>Wegen des Budgets: Alles zu behalten braucht %1 mehr. Es ist bewiesen, dass kein Plan mit dieser Reihenfolge der Ops weniger als %2 hinzufügt.</translation>
    </message>
    <message>
        <source>It is as fast as can be: keeping everything needs %1 more, and the plan adds no time to a step.</source>
        <translation>Er ist so schnell, wie es geht: Alles zu behalten braucht %1 mehr, und der Plan verlängert einen Schritt nicht.</translation>
    </message>
    <message>
        <source>Because of the budget: keeping everything needs %1 more. To do without, the plan adds %2 to each step.</source>
        <translation>Wegen des Budgets: Alles zu behalten braucht %1 mehr. Um darauf zu verzichten, fügt der Plan jedem Schritt %2 hinzu.</translation>
    </message>
    <message>
        <source>It is proven that at least %1 of that cannot be saved.</source>
        <translation>Es ist bewiesen, dass sich mindestens %1 davon nicht einsparen lassen.</translation>
    </message>
    <message>
        <source>Room under the budget: %1.</source>
        <translation>Platz unter dem Budget: %1.</translation>
    </message>
    <message>
        <source>What would %1 more buy?</source>
        <translation>Was brächten %1 mehr?</translation>
    </message>
    <message>
        <source>Within %1 a quick plan adds %2, where this one adds %3: %4 saved in every step.</source>
        <translation>Mit %1 kostet ein Schnellplan %2 Mehraufwand, dieser hier %3: %4 je Schritt gespart.</translation>
    </message>
    <message>
        <source>Within %1 a quick plan is no faster than this one; a longer search may be.</source>
        <translation>Mit %1 ist ein Schnellplan nicht schneller als dieser; eine längere Suche vielleicht schon.</translation>
    </message>
    <message>
        <source>It was decided so by hand.</source>
        <translation>Das wurde von Hand so entschieden.</translation>
    </message>
    <message>
        <source>It was made for a budget of %1; what follows is about that one.</source>
        <translation>Er wurde für ein Budget von %1 gemacht; das Folgende gilt dafür.</translation>
    </message>
    <message>
        <source>Nothing: it was made without a budget.</source>
        <translation>Nichts: Er entstand ohne Budget.</translation>
    </message>
    <message>
        <source>Why is it not faster?</source>
        <translation>Warum ist er nicht schneller?</translation>
    </message>
    <message>
        <source>Memory is tightest when %1 is first computed: what is held then and what is needed again later do not fit together, so some of it has to be computed twice.</source>
        <translation>Am engsten ist der Speicher, wenn %1 zum ersten Mal berechnet wird: Was dann gehalten wird und was später noch gebraucht wird, passt nicht zusammen, also muss etwas davon zweimal berechnet werden.</translation>
    </message>
</context>
<context>
    <name>Features</name>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>File menu, or drop a file on the window</source>
        <translation>Menü „Datei“, oder eine Datei auf das Fenster ziehen</translation>
    </message>
    <message>
        <source>Training graphs from PyTorch (.pt2) and graphs as JSON; recent ones with Ctrl+1 to Ctrl+9.</source>
        <translation>Trainingsgraphen aus PyTorch (.pt2) und Graphen als JSON; zuletzt geöffnete mit Strg+1 bis Strg+9.</translation>
    </message>
    <message>
        <source>Samples and recent files</source>
        <translation>Beispiele und letzte Dateien</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Built-in models, and what was open before.</source>
        <translation>Mitgelieferte Modelle, und was zuvor geöffnet war.</translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation>Eigenes Modell aufzeichnen</translation>
    </message>
    <message>
        <source>Help menu</source>
        <translation>Menü „Hilfe“</translation>
    </message>
    <message>
        <source>The command that makes a training graph from a PyTorch model.</source>
        <translation>Der Befehl, der aus einem PyTorch-Modell einen Trainingsgraphen macht.</translation>
    </message>
    <message>
        <source>Session in a file</source>
        <translation>Sitzung in einer Datei</translation>
    </message>
    <message>
        <source>File menu</source>
        <translation>Menü „Datei“</translation>
    </message>
    <message>
        <source>All open models, their plans, solves and views, and the layout; it opens again as it was.</source>
        <translation>Alle offenen Modelle, ihre Pläne, Lösungsläufe und Ansichten und die Anordnung; alles öffnet sich wieder, wie es war.</translation>
    </message>
    <message>
        <source>Several models at once</source>
        <translation>Mehrere Modelle zugleich</translation>
    </message>
    <message>
        <source>Tabs under the tool bar</source>
        <translation>Reiter unter der Werkzeugleiste</translation>
    </message>
    <message>
        <source>Each keeps its plans, decisions, views and undo, and its solves go on; Ctrl+Tab shows the next.</source>
        <translation>Jedes behält Pläne, Entscheidungen, Ansichten und Verlauf, und seine Läufe gehen weiter; Strg+Tab zeigt das nächste.</translation>
    </message>
    <message>
        <source>Closed models</source>
        <translation>Geschlossene Modelle</translation>
    </message>
    <message>
        <source>They come back as they were, also after the program has ended.</source>
        <translation>Sie kommen zurück, wie sie waren, auch nach dem Ende des Programms.</translation>
    </message>
    <message>
        <source>Last session</source>
        <translation>Letzte Sitzung</translation>
    </message>
    <message>
        <source>File menu, start page</source>
        <translation>Menü „Datei“, Startseite</translation>
    </message>
    <message>
        <source>All open models as they were when the window was closed.</source>
        <translation>Alle offenen Modelle, wie sie beim Schließen des Fensters waren.</translation>
    </message>
    <message>
        <source>Several windows</source>
        <translation>Mehrere Fenster</translation>
    </message>
    <message>
        <source>Window menu</source>
        <translation>Menü „Fenster“</translation>
    </message>
    <message>
        <source>Another model beside this one, or another view of the same.</source>
        <translation>Ein anderes Modell neben diesem, oder eine andere Sicht auf dasselbe.</translation>
    </message>
    <message>
        <source>Graph of nested clusters</source>
        <translation>Graph aus verschachtelten Clustern</translation>
    </message>
    <message>
        <source>Centre, tab Graph</source>
        <translation>Mitte, Reiter „Graph“</translation>
    </message>
    <message>
        <source>Forward and backward side by side; a double-click opens a cluster in place, Backspace goes up.</source>
        <translation>Vorwärts und rückwärts nebeneinander; ein Doppelklick öffnet einen Cluster an Ort und Stelle, die Rücktaste führt nach oben.</translation>
    </message>
    <message>
        <source>Kept, recomputed, offloaded</source>
        <translation>Behalten, neu berechnet, ausgelagert</translation>
    </message>
    <message>
        <source>Graph, colour and glyph of each card</source>
        <translation>Graph, Farbe und Zeichen jeder Karte</translation>
    </message>
    <message>
        <source>What the plan does with each op&apos;s values; arrows to the backward pass show for the selection.</source>
        <translation>Was der Plan mit den Werten jeder Op macht; Pfeile zum Rückwärtslauf erscheinen für die Auswahl.</translation>
    </message>
    <message>
        <source>Identical blocks as a stack</source>
        <translation>Gleiche Blöcke als Stapel</translation>
    </message>
    <message>
        <source>Graph, cards with ×12</source>
        <translation>Graph, Karten mit ×12</translation>
    </message>
    <message>
        <source>One of them stands for all; Ctrl+Up and Ctrl+Down choose which.</source>
        <translation>Einer steht für alle; Strg+Auf und Strg+Ab wählen, welcher.</translation>
    </message>
    <message>
        <source>Colours by any number</source>
        <translation>Farben nach jeder Größe</translation>
    </message>
    <message>
        <source>Graph, Colour by at the right</source>
        <translation>Graph, „Farbe nach“ rechts</translation>
    </message>
    <message>
        <source>Bytes, time, recomputes, lifetime and idle time, with a legend.</source>
        <translation>Bytes, Zeit, Neuberechnungen, Lebensdauer und Liegezeit, mit Legende.</translation>
    </message>
    <message>
        <source>Overview of the graph</source>
        <translation>Übersicht des Graphen</translation>
    </message>
    <message>
        <source>Graph, lower right</source>
        <translation>Graph, unten rechts</translation>
    </message>
    <message>
        <source>The frame is what is seen; drag it to move.</source>
        <translation>Der Rahmen zeigt den sichtbaren Teil; ziehen verschiebt ihn.</translation>
    </message>
    <message>
        <source>Source line of an op</source>
        <translation>Quellzeile einer Op</translation>
    </message>
    <message>
        <source>Graph, strip below</source>
        <translation>Graph, Leiste unten</translation>
    </message>
    <message>
        <source>Kind, shape, figures, the line of your code, and links to what it reads and feeds.</source>
        <translation>Art, Form, Zahlen, die Zeile in Ihrem Code und Verweise auf das, was sie liest und speist.</translation>
    </message>
    <message>
        <source>What reads it, what makes it</source>
        <translation>Was es liest, was es erzeugt</translation>
    </message>
    <message>
        <source>Brackets on the keyboard</source>
        <translation>Eckige Klammern auf der Tastatur</translation>
    </message>
    <message>
        <source>Follows the data from op to op.</source>
        <translation>Folgt den Daten von Op zu Op.</translation>
    </message>
    <message>
        <source>Measure a range of time</source>
        <translation>Zeitbereich messen</translation>
    </message>
    <message>
        <source>Memory and Lanes, drag on the axis</source>
        <translation>Speicher und Spuren, auf der Achse ziehen</translation>
    </message>
    <message>
        <source>Length, bytes and ops of any stretch; exports take it.</source>
        <translation>Länge, Bytes und Ops eines beliebigen Abschnitts; Exporte übernehmen ihn.</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Red line, slider and field; all are one</source>
        <translation>Rote Linie, Regler und Feld; alle sind eins</translation>
    </message>
    <message>
        <source>A plan follows while it is dragged; the better planner takes over when it rests.</source>
        <translation>Beim Ziehen folgt ein Plan; beim Loslassen übernimmt der bessere Planer.</translation>
    </message>
    <message>
        <source>Smallest possible budget</source>
        <translation>Kleinstmögliches Budget</translation>
    </message>
    <message>
        <source>Plan menu</source>
        <translation>Menü „Plan“</translation>
    </message>
    <message>
        <source>No plan has a smaller peak.</source>
        <translation>Kein Plan hat eine niedrigere Spitze.</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Plan panel</source>
        <translation>Plan-Panel</translation>
    </message>
    <message>
        <source>Looks for the fastest plan in the background, with its bound and gap.</source>
        <translation>Sucht im Hintergrund den schnellsten Plan, mit Schranke und Lücke.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Ends what is running and keeps the best plan so far.</source>
        <translation>Beendet, was läuft, und behält den bisher besten Plan.</translation>
    </message>
    <message>
        <source>Verdict on every plan</source>
        <translation>Urteil über jeden Plan</translation>
    </message>
    <message>
        <source>Badge in the tool bar</source>
        <translation>Zeichen in der Werkzeugleiste</translation>
    </message>
    <message>
        <source>Every plan is replayed by an independent checker; a real run compares loss, gradients and peak.</source>
        <translation>Ein unabhängiger Prüfer spielt jeden Plan nach; ein echter Lauf vergleicht Verlust, Gradienten und Spitze.</translation>
    </message>
    <message>
        <source>Keep, recompute, never recompute</source>
        <translation>Behalten, neu berechnen, nie neu berechnen</translation>
    </message>
    <message>
        <source>Plan menu, or the menu of a card</source>
        <translation>Menü „Plan“, oder das Menü einer Karte</translation>
    </message>
    <message>
        <source>Decisions by hand for ops, storages and clusters; planners work around them.</source>
        <translation>Entscheidungen von Hand für Ops, Speicherbereiche und Cluster; die Planer halten sich daran.</translation>
    </message>
    <message>
        <source>Sweep over budgets</source>
        <translation>Budgetreihe</translation>
    </message>
    <message>
        <source>Trade-off, strip above</source>
        <translation>Abwägung, Leiste oben</translation>
    </message>
    <message>
        <source>Plans many budgets with several planners.</source>
        <translation>Plant viele Budgets mit mehreren Planern.</translation>
    </message>
    <message>
        <source>Step through a plan</source>
        <translation>Schritt für Schritt durch einen Plan</translation>
    </message>
    <message>
        <source>Strip below the views</source>
        <translation>Leiste unter den Ansichten</translation>
    </message>
    <message>
        <source>Find ops by filters</source>
        <translation>Ops mit Filtern finden</translation>
    </message>
    <message>
        <source>Bar above the graph</source>
        <translation>Leiste über dem Graphen</translation>
    </message>
    <message>
        <source>A name, or kind:addmm module:h.11 dtype:f32 size&gt;10MiB time&gt;1ms recomputed phase:backward.</source>
        <translation>Ein Name, oder kind:addmm module:h.11 dtype:f32 size&gt;10MiB time&gt;1ms recomputed phase:backward.</translation>
    </message>
    <message>
        <source>List of what was found</source>
        <translation>Liste der Treffer</translation>
    </message>
    <message>
        <source>Bottom, tab Results</source>
        <translation>Unten, Reiter „Treffer“</translation>
    </message>
    <message>
        <source>All matches with their figures.</source>
        <translation>Alle Treffer mit ihren Zahlen.</translation>
    </message>
    <message>
        <source>Any command by name</source>
        <translation>Jeder Befehl mit Namen</translation>
    </message>
    <message>
        <source>Field in the tool bar</source>
        <translation>Feld in der Werkzeugleiste</translation>
    </message>
    <message>
        <source>Commands, ops, storages and help in one list.</source>
        <translation>Befehle, Ops, Speicherbereiche und Hilfe in einer Liste.</translation>
    </message>
    <message>
        <source>Undo and history</source>
        <translation>Rückgängig und Verlauf</translation>
    </message>
    <message>
        <source>Edit menu</source>
        <translation>Menü „Bearbeiten“</translation>
    </message>
    <message>
        <source>Every change of plan, budget and view can be taken back.</source>
        <translation>Jede Änderung an Plan, Budget und Ansicht lässt sich zurücknehmen.</translation>
    </message>
    <message>
        <source>Back and forward</source>
        <translation>Zurück und vor</translation>
    </message>
    <message>
        <source>View menu</source>
        <translation>Menü „Ansicht“</translation>
    </message>
    <message>
        <source>To what was looked at before.</source>
        <translation>Zu dem, was zuvor zu sehen war.</translation>
    </message>
    <message>
        <source>Pictures of views</source>
        <translation>Bilder von Ansichten</translation>
    </message>
    <message>
        <source>Any view as SVG, PDF or PNG.</source>
        <translation>Jede Ansicht als SVG, PDF oder PNG.</translation>
    </message>
    <message>
        <source>Tables as CSV</source>
        <translation>Tabellen als CSV</translation>
    </message>
    <message>
        <source>What a view shows, or its chosen range, as a table.</source>
        <translation>Was eine Ansicht oder ihr gewählter Abschnitt zeigt, als Tabelle.</translation>
    </message>
    <message>
        <source>Plan as code</source>
        <translation>Plan als Code</translation>
    </message>
    <message>
        <source>Python, CSV, Chrome trace or Graphviz.</source>
        <translation>Python, CSV, Chrome-Trace oder Graphviz.</translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation>Chrome-Trace</translation>
    </message>
    <message>
        <source>Lanes and memory of the plan, for Perfetto and chrome://tracing.</source>
        <translation>Spuren und Speicher des Plans, für Perfetto und chrome://tracing.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>One page with figures and curves.</source>
        <translation>Eine Seite mit Zahlen und Kurven.</translation>
    </message>
    <message>
        <source>Plan as a file</source>
        <translation>Plan als Datei</translation>
    </message>
    <message>
        <source>PyTorch and the command line read it; remat does the same without a window.</source>
        <translation>PyTorch und die Kommandozeile lesen sie; remat leistet dasselbe ohne Fenster.</translation>
    </message>
    <message>
        <source>Measured costs</source>
        <translation>Gemessene Kosten</translation>
    </message>
    <message>
        <source>Run menu</source>
        <translation>Menü „Ausführen“</translation>
    </message>
    <message>
        <source>Runs every op and takes its measured time; the graph&apos;s strip shows it beside the predicted one.</source>
        <translation>Führt jede Op aus und übernimmt die gemessene Zeit; die Leiste des Graphen zeigt sie neben der vorhergesagten.</translation>
    </message>
    <message>
        <source>Linked views</source>
        <translation>Verbundene Ansichten</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>What is selected or under the mouse in one view is so in all; time, cursor and range are shared.</source>
        <translation>Was in einer Ansicht ausgewählt oder unter der Maus ist, ist es in allen; Zeit, Zeiger und Abschnitt sind gemeinsam.</translation>
    </message>
    <message>
        <source>Menus of tables</source>
        <translation>Menüs der Tabellen</translation>
    </message>
    <message>
        <source>Right click on a row</source>
        <translation>Rechtsklick auf eine Zeile</translation>
    </message>
    <message>
        <source>Copies a row, shows it in the graph, and writes the table.</source>
        <translation>Kopiert eine Zeile, zeigt sie im Graphen und schreibt die Tabelle.</translation>
    </message>
    <message>
        <source>By keys alone</source>
        <translation>Nur mit der Tastatur</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>F6 goes round the panels, Tab and arrows through each.</source>
        <translation>F6 geht reihum durch die Panels, Tab und Pfeile durch jedes einzelne.</translation>
    </message>
    <message>
        <source>Arrangements</source>
        <translation>Anordnungen</translation>
    </message>
    <message>
        <source>Tool bar: Plan, Compare, Learn</source>
        <translation>Werkzeugleiste: Planen, Vergleichen, Lernen</translation>
    </message>
    <message>
        <source>Each keeps its own panels and views.</source>
        <translation>Jede behält ihre eigenen Panels und Ansichten.</translation>
    </message>
    <message>
        <source>Panels in windows of their own</source>
        <translation>Panels in eigenen Fenstern</translation>
    </message>
    <message>
        <source>By its title such a window can be dragged to another side of the main one.</source>
        <translation>An seinem Titel lässt sich ein solches Fenster an eine andere Seite des Hauptfensters ziehen.</translation>
    </message>
    <message>
        <source>Layout of panels</source>
        <translation>Anordnung der Panels</translation>
    </message>
    <message>
        <source>Panels can be moved, sized and hidden; this puts them back.</source>
        <translation>Panels lassen sich verschieben, vergrößern und ausblenden; dies stellt sie zurück.</translation>
    </message>
    <message>
        <source>Light, dark and high contrast</source>
        <translation>Hell, dunkel und hoher Kontrast</translation>
    </message>
    <message>
        <source>Colours follow the system, or stay as chosen.</source>
        <translation>Die Farben folgen dem System oder bleiben wie gewählt.</translation>
    </message>
    <message>
        <source>Size of text and controls</source>
        <translation>Größe von Text und Bedienelementen</translation>
    </message>
    <message>
        <source>80 to 200 %.</source>
        <translation>80 bis 200 %.</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>Alle Tasten</translation>
    </message>
    <message>
        <source>Every command and gesture, with a search.</source>
        <translation>Jeder Befehl und jede Geste, mit Suche.</translation>
    </message>
    <message>
        <source>Branches side by side</source>
        <translation>Zweige nebeneinander</translation>
    </message>
    <message>
        <source>Graph, clusters with branches</source>
        <translation>Graph, Cluster mit Zweigen</translation>
    </message>
    <message>
        <source>Inception cells, heads, experts: as Graphviz places them; a switch in each cluster&apos;s header.</source>
        <translation>Inception-Zellen, Köpfe, Experten: so, wie Graphviz sie setzt; ein Schalter im Kopf jedes Clusters.</translation>
    </message>
    <message>
        <source>Play, step, jump, loop; it says what each step does and why.</source>
        <translation>Abspielen, Schritte, Sprünge, Schleife; er sagt, was jeder Schritt tut und warum.</translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation>Wie Planer denken</translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR, frame by frame, as they plan a small graph.</source>
        <translation>Rotor, Checkmate, die Suche und DTR, Bild für Bild, wie sie einen kleinen Graphen planen.</translation>
    </message>
    <message>
        <source>Animation of the steps</source>
        <translation>Animation der Schritte</translation>
    </message>
    <message>
        <source>A looping picture of the plan, step by step, for slides and pages.</source>
        <translation>Ein Bild in Schleife, das den Plan Schritt für Schritt zeigt, für Folien und Seiten.</translation>
    </message>
    <message>
        <source>Help menu, and the Plan panel</source>
        <translation>Menü „Hilfe“, und im Plan-Panel</translation>
    </message>
    <message>
        <source>Reports of real devices</source>
        <translation>Berichte echter Geräte</translation>
    </message>
    <message>
        <source>Plans that remat doctor ran on a device: bytes, times and what failed.</source>
        <translation>Pläne, die remat doctor auf einem Gerät ausgeführt hat: Bytes, Zeiten und was scheiterte.</translation>
    </message>
    <message>
        <source>Updates in the step</source>
        <translation>Updates im Schritt</translation>
    </message>
    <message>
        <source>The model once more with an optimizer&apos;s updates: plans may move weights and states; the CPU can do the updates.</source>
        <translation>Das Modell noch einmal mit den Updates eines Optimierers: Pläne dürfen Gewichte und Zustände auslagern; die CPU kann die Updates rechnen.</translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>No filter is called %1. There are %2.</source>
        <translation>Kein Filter heißt %1. Es gibt %2.</translation>
    </message>
    <message>
        <source>A minus excludes what a filter finds, and %1 is no filter. Write it as in %2.</source>
        <translation>Ein Minus schließt aus, was ein Filter findet, und %1 ist kein Filter. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>%1 stands alone, without a value.</source>
        <translation>%1 steht allein, ohne Wert.</translation>
    </message>
    <message>
        <source>%1 has no value yet. Write it as in %2.</source>
        <translation>%1 hat noch keinen Wert. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>%1 is a text and has no order. Write it as in %2.</source>
        <translation>%1 ist ein Text und hat keine Reihenfolge. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>%1 is no comparison. There are &lt;, &lt;=, =, &gt;= and &gt;.</source>
        <translation>%1 ist kein Vergleich. Es gibt &lt;, &lt;=, =, &gt;= und &gt;.</translation>
    </message>
    <message>
        <source>No phase is called %1. There are %2.</source>
        <translation>Keine Phase heißt %1. Es gibt %2.</translation>
    </message>
    <message>
        <source>%1 is no time. Write it as in %2.</source>
        <translation>%1 ist keine Zeit. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>%1 is no count. Write it as in %2.</source>
        <translation>%1 ist keine Anzahl. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>%1 is no size. Write it as in %2.</source>
        <translation>%1 ist keine Größe. Richtig ist zum Beispiel %2.</translation>
    </message>
    <message>
        <source>what the op does</source>
        <translation>was die Op tut</translation>
    </message>
    <message>
        <source>part of the module&apos;s path</source>
        <translation>Teil des Modulpfads</translation>
    </message>
    <message>
        <source>element type of what it makes</source>
        <translation>Elementtyp dessen, was sie erzeugt</translation>
    </message>
    <message>
        <source>part of the source line</source>
        <translation>Teil der Quellzeile</translation>
    </message>
    <message>
        <source>forward, loss or backward</source>
        <translation>forward, loss oder backward</translation>
    </message>
    <message>
        <source>bytes it makes</source>
        <translation>Bytes, die sie erzeugt</translation>
    </message>
    <message>
        <source>time of one computation</source>
        <translation>Zeit einer Berechnung</translation>
    </message>
    <message>
        <source>how often the plan computes it</source>
        <translation>wie oft der Plan sie berechnet</translation>
    </message>
    <message>
        <source>computed again by the plan</source>
        <translation>vom Plan neu berechnet</translation>
    </message>
    <message>
        <source>held for the backward pass</source>
        <translation>für den Rückwärtslauf gehalten</translation>
    </message>
    <message>
        <source>parked in host memory</source>
        <translation>in den Hauptspeicher ausgelagert</translation>
    </message>
    <message>
        <source>needed only in the forward pass</source>
        <translation>nur im Vorwärtslauf gebraucht</translation>
    </message>
    <message>
        <source>draws random numbers</source>
        <translation>zieht Zufallszahlen</translation>
    </message>
    <message>
        <source>decided by hand</source>
        <translation>von Hand entschieden</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 Ops</translation>
    </message>
</context>
<context>
    <name>Gestures</name>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Zoom at the mouse</source>
        <translation>An der Maus zoomen</translation>
    </message>
    <message>
        <source>Ctrl+Wheel</source>
        <translation>Strg+Mausrad</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>Blättern</translation>
    </message>
    <message>
        <source>Wheel, Page up, Page down</source>
        <translation>Mausrad, Bild auf, Bild ab</translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation>Bild verschieben</translation>
    </message>
    <message>
        <source>Drag, middle button, Space+Drag</source>
        <translation>Ziehen, mittlere Maustaste, Leertaste+Ziehen</translation>
    </message>
    <message>
        <source>Zoom in, zoom out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>W, S, +, −</source>
        <translation>W, S, +, −</translation>
    </message>
    <message>
        <source>Move up, down</source>
        <translation>Nach oben, nach unten</translation>
    </message>
    <message>
        <source>A, D</source>
        <translation>A, D</translation>
    </message>
    <message>
        <source>Centre the selection, then fit all</source>
        <translation>Auswahl zentrieren, dann alles einpassen</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>Alles einpassen</translation>
    </message>
    <message>
        <source>Space, 0</source>
        <translation>Leertaste, 0</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Originalgröße</translation>
    </message>
    <message>
        <source>Shift+Backspace</source>
        <translation>Umschalt+Rücktaste</translation>
    </message>
    <message>
        <source>Open or close a cluster</source>
        <translation>Cluster öffnen oder schließen</translation>
    </message>
    <message>
        <source>Enter, double-click</source>
        <translation>Eingabe, Doppelklick</translation>
    </message>
    <message>
        <source>Open or close with everything below</source>
        <translation>Mit allem darunter öffnen oder schließen</translation>
    </message>
    <message>
        <source>Alt+Enter, Alt+click on the arrow</source>
        <translation>Alt+Eingabe, Alt+Klick auf den Pfeil</translation>
    </message>
    <message>
        <source>To the cluster around</source>
        <translation>Zum umgebenden Cluster</translation>
    </message>
    <message>
        <source>Backspace, Left</source>
        <translation>Rücktaste, Links</translation>
    </message>
    <message>
        <source>Next and previous card</source>
        <translation>Nächste und vorige Karte</translation>
    </message>
    <message>
        <source>Up, Down, Home, End</source>
        <translation>Auf, Ab, Pos1, Ende</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>To what makes its input</source>
        <translation>Zu dem, was die Eingabe erzeugt</translation>
    </message>
    <message>
        <source>[</source>
        <translation>[</translation>
    </message>
    <message>
        <source>To what reads its output</source>
        <translation>Zu dem, was die Ausgabe liest</translation>
    </message>
    <message>
        <source>]</source>
        <translation>]</translation>
    </message>
    <message>
        <source>Another of identical blocks</source>
        <translation>Ein anderer von gleichen Blöcken</translation>
    </message>
    <message>
        <source>Ctrl+Up, Ctrl+Down</source>
        <translation>Strg+Auf, Strg+Ab</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>Nichts auswählen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>All views over time</source>
        <translation>Alle Ansichten über der Zeit</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>Mausrad</translation>
    </message>
    <message>
        <source>Move along time</source>
        <translation>Entlang der Zeit bewegen</translation>
    </message>
    <message>
        <source>Drag, Shift+Wheel, A, D</source>
        <translation>Ziehen, Umschalt+Mausrad, A, D</translation>
    </message>
    <message>
        <source>W, S</source>
        <translation>W, S</translation>
    </message>
    <message>
        <source>All of the time</source>
        <translation>Die ganze Zeit</translation>
    </message>
    <message>
        <source>F, double-click</source>
        <translation>F, Doppelklick</translation>
    </message>
    <message>
        <source>Previous and next step</source>
        <translation>Voriger und nächster Schritt</translation>
    </message>
    <message>
        <source>Left, Right, comma, full stop</source>
        <translation>Links, Rechts, Komma, Punkt</translation>
    </message>
    <message>
        <source>Select the op at the cursor</source>
        <translation>Op am Zeiger auswählen</translation>
    </message>
    <message>
        <source>Click, Enter</source>
        <translation>Klick, Eingabe</translation>
    </message>
    <message>
        <source>Ranges of time</source>
        <translation>Zeitbereiche</translation>
    </message>
    <message>
        <source>Choose a range</source>
        <translation>Bereich wählen</translation>
    </message>
    <message>
        <source>Drag on the axis, Shift+Drag</source>
        <translation>Auf der Achse ziehen, Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Bereich aufheben</translation>
    </message>
    <message>
        <source>Esc, click on the axis</source>
        <translation>Esc, Klick auf die Achse</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Drag the line</source>
        <translation>Linie ziehen</translation>
    </message>
    <message>
        <source>Budget 1 % more or less</source>
        <translation>Budget 1 % mehr oder weniger</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Auf, Ab</translation>
    </message>
    <message>
        <source>Budget 0.1 % more or less</source>
        <translation>Budget 0.1 % mehr oder weniger</translation>
    </message>
    <message>
        <source>Shift+Up, Shift+Down</source>
        <translation>Umschalt+Auf, Umschalt+Ab</translation>
    </message>
    <message>
        <source>Smallest budget, all memory</source>
        <translation>Kleinstes Budget, aller Speicher</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Pos1, Ende</translation>
    </message>
    <message>
        <source>Select the storage below the mouse</source>
        <translation>Speicherbereich unter der Maus auswählen</translation>
    </message>
    <message>
        <source>Ctrl+Click</source>
        <translation>Strg+Klick</translation>
    </message>
    <message>
        <source>Bands of categories or of storages</source>
        <translation>Bänder nach Kategorien oder Speicherbereichen</translation>
    </message>
    <message>
        <source>G</source>
        <translation>G</translation>
    </message>
    <message>
        <source>Hold the list at the peak</source>
        <translation>Liste an der Spitze festhalten</translation>
    </message>
    <message>
        <source>P, click on the mark</source>
        <translation>P, Klick auf die Marke</translation>
    </message>
    <message>
        <source>Everything alive at the peak</source>
        <translation>Alles, was an der Spitze lebt</translation>
    </message>
    <message>
        <source>Shift+P</source>
        <translation>Umschalt+P</translation>
    </message>
    <message>
        <source>Address map</source>
        <translation>Adresskarte</translation>
    </message>
    <message>
        <source>Play and pause</source>
        <translation>Abspielen und anhalten</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>R/S matrix</source>
        <translation>R/S-Matrix</translation>
    </message>
    <message>
        <source>Move over ops</source>
        <translation>Über Ops bewegen</translation>
    </message>
    <message>
        <source>Move over slots</source>
        <translation>Über Slots bewegen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoomen</translation>
    </message>
    <message>
        <source>W, S, Wheel</source>
        <translation>W, S, Mausrad</translation>
    </message>
    <message>
        <source>Budget slider</source>
        <translation>Budgetregler</translation>
    </message>
    <message>
        <source>1 % more or less</source>
        <translation>1 % mehr oder weniger</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>0.1 % more or less</source>
        <translation>0.1 % mehr oder weniger</translation>
    </message>
    <message>
        <source>Shift+Arrow keys</source>
        <translation>Umschalt+Pfeiltasten</translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation>Abwägung</translation>
    </message>
    <message>
        <source>Select the nearest plan</source>
        <translation>Nächstgelegenen Plan auswählen</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Take the plan as the current one</source>
        <translation>Plan zum aktuellen machen</translation>
    </message>
    <message>
        <source>Double-click, Enter</source>
        <translation>Doppelklick, Eingabe</translation>
    </message>
    <message>
        <source>Find and palette</source>
        <translation>Suche und Palette</translation>
    </message>
    <message>
        <source>Next and previous match</source>
        <translation>Nächster und voriger Treffer</translation>
    </message>
    <message>
        <source>Enter, Shift+Enter</source>
        <translation>Eingabe, Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Commands, ops, storages, help</source>
        <translation>Befehle, Ops, Speicherbereiche, Hilfe</translation>
    </message>
    <message>
        <source>&gt;  @  #  ?  as the first letter</source>
        <translation>&gt;  @  #  ?  als erstes Zeichen</translation>
    </message>
    <message>
        <source>List all ops that match</source>
        <translation>Alle passenden Ops auflisten</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>To the branch beside, then to the other column</source>
        <translation>Zum Zweig daneben, dann in die andere Spalte</translation>
    </message>
</context>
<context>
    <name>GraphView</name>
    <message>
        <source>1 op</source>
        <translation>1 Op</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 Ops</translation>
    </message>
    <message>
        <source>Gradients made</source>
        <translation>Erzeugte Gradienten</translation>
    </message>
    <message>
        <source>Held for backward</source>
        <translation>Für rückwärts gehalten</translation>
    </message>
    <message>
        <source>Made again</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>%1 identical blocks</source>
        <translation>%1 gleiche Blöcke</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>Erzeugt</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Computed again</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>%1 times, %2</source>
        <translation>%1-mal, %2</translation>
    </message>
    <message>
        <source>Plan state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Recomputes</source>
        <translation>Neuberechnungen</translation>
    </message>
    <message>
        <source>Lifetime</source>
        <translation>Lebensdauer</translation>
    </message>
    <message>
        <source>Idle time</source>
        <translation>Liegezeit</translation>
    </message>
    <message>
        <source>Time error</source>
        <translation>Zeitfehler</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Sweep over budgets</source>
        <translation>Budgetreihe</translation>
    </message>
    <message>
        <source>Quick plan</source>
        <translation>Schnellplan</translation>
    </message>
    <message>
        <source>Solve at %1</source>
        <translation>Bei %1 lösen</translation>
    </message>
    <message>
        <source>Add plan %1</source>
        <translation>Plan %1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove all decisions by hand</source>
        <translation>Alle Entscheidungen von Hand entfernen</translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>No longer keep %1</source>
        <translation>%1 nicht länger behalten</translation>
    </message>
    <message>
        <source>Recompute %1</source>
        <translation>%1 neu berechnen</translation>
    </message>
    <message>
        <source>No longer force recomputing %1</source>
        <translation>%1 nicht länger zwingend neu berechnen</translation>
    </message>
    <message>
        <source>Never recompute %1</source>
        <translation>%1 nie neu berechnen</translation>
    </message>
    <message>
        <source>Allow recomputing %1</source>
        <translation>Neuberechnung von %1 erlauben</translation>
    </message>
    <message>
        <source>Decide by hand</source>
        <translation>Von Hand entscheiden</translation>
    </message>
    <message>
        <source>Compare nothing</source>
        <translation>Nichts vergleichen</translation>
    </message>
    <message>
        <source>Compare %1</source>
        <translation>%1 vergleichen</translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation>Kosten von %1</translation>
    </message>
    <message>
        <source>Remove plan %1</source>
        <translation>Plan %1 entfernen</translation>
    </message>
    <message>
        <source>Remove %1 plans</source>
        <translation>%1 Pläne entfernen</translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation>Budget %1</translation>
    </message>
    <message>
        <source>Show plan %1</source>
        <translation>Plan %1 zeigen</translation>
    </message>
</context>
<context>
    <name>Lane</name>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Copy in</source>
        <translation>Einlagern</translation>
    </message>
    <message>
        <source>Copy out</source>
        <translation>Auslagern</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
</context>
<context>
    <name>LastSession</name>
    <message>
        <source>Only closed models, closed %1 ago</source>
        <translation>Nur geschlossene Modelle, vor %1 geschlossen</translation>
    </message>
    <message>
        <source>%1, closed %2 ago</source>
        <translation>%1, vor %2 geschlossen</translation>
    </message>
    <message>
        <source>%1 cannot be read and cannot be given another name. Move it elsewhere.</source>
        <translation>%1 lässt sich weder lesen noch umbenennen. Verschieben Sie die Datei an einen anderen Ort.</translation>
    </message>
    <message>
        <source>The session before the last could not be read and was kept as %1. %2</source>
        <translation>Die vorletzte Sitzung ließ sich nicht lesen und ist als %1 aufgehoben. %2</translation>
    </message>
</context>
<context>
    <name>MemoryScene</name>
    <message>
        <source>workspace</source>
        <translation>Hilfsspeicher</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
</context>
<context>
    <name>MemoryView</name>
    <message>
        <source>Keep-all peak %1</source>
        <translation>Keep-all-Spitze %1</translation>
    </message>
    <message>
        <source>Floor %1</source>
        <translation>Minimum %1</translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation>Budget %1</translation>
    </message>
    <message>
        <source>drag</source>
        <translation>ziehen</translation>
    </message>
    <message>
        <source>Peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Highest</source>
        <translation>Höchstwert</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>Recomputing</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Allocated</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Freed</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>At the cursor</source>
        <translation>Am Zeiger</translation>
    </message>
    <message>
        <source>quick plan</source>
        <translation>Schnellplan</translation>
    </message>
    <message>
        <source>Room under budget</source>
        <translation>Platz unter dem Budget</translation>
    </message>
    <message>
        <source>Over the budget</source>
        <translation>Über dem Budget</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Measured %1, as predicted</source>
        <translation>Gemessen %1, wie vorhergesagt</translation>
    </message>
    <message>
        <source>Measured %1, %2 above predicted</source>
        <translation>Gemessen %1, %2 über der Vorhersage</translation>
    </message>
    <message>
        <source>Measured %1, %2 below predicted</source>
        <translation>Gemessen %1, %2 unter der Vorhersage</translation>
    </message>
    <message>
        <source>Keep-all peak %1, with weights</source>
        <translation>Keep-all-Spitze %1, mit Gewichten</translation>
    </message>
    <message>
        <source>Must be paid: %1, at least %2</source>
        <translation>Zu bezahlen: %1, mindestens %2</translation>
    </message>
    <message>
        <source>Held at the cut: %1</source>
        <translation>Am Schnitt im Speicher: %1</translation>
    </message>
</context>
<context>
    <name>NoPlan</name>
    <message>
        <source>No plan fits %1. Raise the budget to at least %2.</source>
        <translation>Kein Plan passt in %1. Heben Sie das Budget auf mindestens %2 an.</translation>
    </message>
    <message>
        <source>No plan yet. Drag the budget or press Solve.</source>
        <translation>Noch kein Plan. Ziehen Sie am Budget oder drücken Sie „Lösen“.</translation>
    </message>
</context>
<context>
    <name>NodeState</name>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Mixed</source>
        <translation>Gemischt</translation>
    </message>
    <message>
        <source>Freed</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
</context>
<context>
    <name>OpDetails</name>
    <message>
        <source>recomputed once</source>
        <translation>einmal neu berechnet</translation>
    </message>
    <message>
        <source>recomputed %1 times</source>
        <translation>%1-mal neu berechnet</translation>
    </message>
    <message>
        <source>%1 measured, %2 predicted</source>
        <translation>%1 gemessen, %2 vorhergesagt</translation>
    </message>
    <message>
        <source>%1 (%2%3)</source>
        <translation>%1 (%2%3)</translation>
    </message>
    <message>
        <source>Op: %1 (%2)</source>
        <translation>Op: %1 (%2)</translation>
    </message>
    <message>
        <source>Module: %1</source>
        <translation>Modul: %1</translation>
    </message>
    <message>
        <source>Makes: %1</source>
        <translation>Erzeugt: %1</translation>
    </message>
    <message>
        <source>Time: %1</source>
        <translation>Zeit: %1</translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation>Plan: %1</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>Quelle: %1</translation>
    </message>
</context>
<context>
    <name>OtherBatch</name>
    <message>
        <source>A trace of the same step with another batch</source>
        <translation>Aufzeichnung desselben Schritts mit anderem Batch</translation>
    </message>
    <message>
        <source>Models (*.pt2 *.json)</source>
        <translation>Modelle (*.pt2 *.json)</translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
</context>
<context>
    <name>PlanVerdict</name>
    <message>
        <source>Not checked</source>
        <translation>Nicht geprüft</translation>
    </message>
    <message>
        <source>This plan has not been checked yet.</source>
        <translation>Dieser Plan wurde noch nicht geprüft.</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlerhaft</translation>
    </message>
    <message>
        <source>Every step was replayed without an error. </source>
        <translation>Jeder Schritt wurde ohne Fehler nachgespielt. </translation>
    </message>
    <message>
        <source>Over the budget</source>
        <translation>Über dem Budget</translation>
    </message>
    <message>
        <source>The peak of %1 is %2 over the budget of %3.</source>
        <translation>Die Spitze von %1 liegt %2 über dem Budget von %3.</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Peak %1, within the budget of %2.</source>
        <translation>Spitze %1, im Budget von %2.</translation>
    </message>
    <message>
        <source>Peak %1.</source>
        <translation>Spitze %1.</translation>
    </message>
    <message>
        <source> Its file has the record of a real run, but of other steps: press Validate to run these.</source>
        <translation> Seine Datei enthält das Protokoll eines echten Laufs, aber mit anderen Schritten: Validieren führt diese aus.</translation>
    </message>
    <message>
        <source>The measured peak of %1 is %2 over the budget of %3.</source>
        <translation>Die gemessene Spitze von %1 liegt %2 über dem Budget von %3.</translation>
    </message>
    <message>
        <source>The predicted peak of %1 is %2 over the budget of %3.</source>
        <translation>Die vorhergesagte Spitze von %1 liegt %2 über dem Budget von %3.</translation>
    </message>
    <message>
        <source>That is within the budget of %1.</source>
        <translation>Das liegt im Budget von %1.</translation>
    </message>
    <message>
        <source>Runs on GPU</source>
        <translation>Läuft auf GPU</translation>
    </message>
    <message>
        <source>Runs on CPU</source>
        <translation>Läuft auf CPU</translation>
    </message>
    <message>
        <source>Validated on GPU</source>
        <translation>Auf GPU validiert</translation>
    </message>
    <message>
        <source>Validated on CPU</source>
        <translation>Auf CPU validiert</translation>
    </message>
    <message>
        <source> It was made for %1.</source>
        <translation> Er entstand für %1.</translation>
    </message>
    <message>
        <source>beyond numbers</source>
        <translation>jenseits aller Zahlen</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>Gradient von %1</translation>
    </message>
    <message>
        <source>buffer %1</source>
        <translation>Puffer %1</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>The graph is not what PyTorch computes</source>
        <translation>Der Graph ist nicht, was PyTorch rechnet</translation>
    </message>
    <message>
        <source>: op %1 (%2)</source>
        <translation>: Operation %1 (%2)</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source>, %1, relative difference %2</source>
        <translation>, %1, relativer Unterschied %2</translation>
    </message>
    <message>
        <source>. Do not train with a plan of it.</source>
        <translation>. Trainieren Sie nicht mit einem Plan davon.</translation>
    </message>
    <message>
        <source>The graph is what PyTorch computes, but for what is explained</source>
        <translation>Der Graph ist, was PyTorch rechnet, bis auf Erklärtes</translation>
    </message>
    <message>
        <source>: %1 (%2, relative difference %3)</source>
        <translation>: %1 (%2, relativer Unterschied %3)</translation>
    </message>
    <message>
        <source>The graph is what PyTorch computes: all %1 tensors of one step are equal, bit for bit.</source>
        <translation>Der Graph ist, was PyTorch rechnet: alle %1 Tensoren eines Schritts sind bitgleich.</translation>
    </message>
    <message>
        <source>No comparison with plain PyTorch stands behind this graph.</source>
        <translation>Hinter diesem Graphen steht kein Vergleich mit reinem PyTorch.</translation>
    </message>
    <message>
        <source>Nobody has compared this graph with plain PyTorch; `python -m remat_studio.trace --compare always` does.</source>
        <translation>Niemand hat diesen Graphen mit reinem PyTorch verglichen; `python -m remat_studio.trace --compare always` tut es.</translation>
    </message>
    <message>
        <source>Wrong graph</source>
        <translation>Falscher Graph</translation>
    </message>
    <message>
        <source>Exact peak</source>
        <translation>Genaue Spitze</translation>
    </message>
    <message>
        <source>It is for Inductor&apos;s kernels, whose code says their peak to the byte; without a plan that is %1. </source>
        <translation>Er ist für die Kernel von Inductor, deren Code die Spitze auf das Byte sagt; ohne Plan ist sie %1. </translation>
    </message>
</context>
<context>
    <name>PlannerGroups</name>
    <message>
        <source>Best plans</source>
        <translation>Beste Pläne</translation>
    </message>
    <message>
        <source>From the literature</source>
        <translation>Aus der Literatur</translation>
    </message>
    <message>
        <source>Also use host memory</source>
        <translation>Nutzen auch Hauptspeicher</translation>
    </message>
    <message>
        <source>Only to compare with</source>
        <translation>Nur zum Vergleich</translation>
    </message>
</context>
<context>
    <name>Puzzle</name>
    <message>
        <source>What %1 makes is still there: use it, or free it first.</source>
        <translation>Was %1 macht, ist noch da: Verwenden Sie es, oder geben Sie es zuerst frei.</translation>
    </message>
    <message>
        <source>%1 changes what it reads, or stands for the rest of the network, and can be computed only once. Undo to keep what it made.</source>
        <translation>%1 ändert, was es liest, oder steht für den Rest des Netzes und kann nur einmal berechnet werden. Nehmen Sie zurück, um zu behalten, was es gemacht hat.</translation>
    </message>
    <message>
        <source>In this puzzle every op is computed once, and %1 was. Undo to keep what it made.</source>
        <translation>In diesem Rätsel wird jede Op einmal berechnet, und %1 wurde es schon. Nehmen Sie zurück, um zu behalten, was sie gemacht hat.</translation>
    </message>
    <message>
        <source>%1 needs %2, which is in host memory: bring it back first.</source>
        <translation>%1 braucht %2, das im Hauptspeicher liegt: Holen Sie es zuerst zurück.</translation>
    </message>
    <message>
        <source>%1 needs %2, which you freed: compute %3 again first.</source>
        <translation>%1 braucht %2, das Sie freigegeben haben: Berechnen Sie zuerst %3 neu.</translation>
    </message>
    <message>
        <source>%1 needs %2, which %3 makes: compute that first.</source>
        <translation>%1 braucht %2, das %3 macht: Berechnen Sie das zuerst.</translation>
    </message>
    <message>
        <source>%1 needs %2 while %3 are held, and the budget is %4: free something first.</source>
        <translation>%1 braucht %2, während %3 belegt sind, und das Budget ist %4: Geben Sie zuerst etwas frei.</translation>
    </message>
    <message>
        <source>%1 needs %2 in one piece; %3 are free, but the largest piece has %4: free a neighbour of it.</source>
        <translation>%1 braucht %2 am Stück; %3 sind frei, aber das größte Stück hat %4: Geben Sie einen Nachbarn davon frei.</translation>
    </message>
    <message>
        <source>%1 is an input: it is always there and does not count.</source>
        <translation>%1 ist eine Eingabe: Sie ist immer da und zählt nicht.</translation>
    </message>
    <message>
        <source>%1 is not in memory.</source>
        <translation>%1 ist nicht im Speicher.</translation>
    </message>
    <message>
        <source>%1 is a result: it stays to the end.</source>
        <translation>%1 ist ein Ergebnis: Es bleibt bis zum Ende.</translation>
    </message>
    <message>
        <source>This puzzle has no link to host memory.</source>
        <translation>Dieses Rätsel hat keinen Weg zum Hauptspeicher.</translation>
    </message>
    <message>
        <source>%1 is not in memory, so there is nothing to copy.</source>
        <translation>%1 ist nicht im Speicher, also gibt es nichts zu kopieren.</translation>
    </message>
    <message>
        <source>%1 has a copy in host memory already: you can free it.</source>
        <translation>%1 hat schon eine Kopie im Hauptspeicher: Sie können es freigeben.</translation>
    </message>
    <message>
        <source>%1 is still in memory.</source>
        <translation>%1 ist noch im Speicher.</translation>
    </message>
    <message>
        <source>%1 has no copy in host memory: copy it out before you free it.</source>
        <translation>%1 hat keine Kopie im Hauptspeicher: Lagern Sie es aus, ehe Sie es freigeben.</translation>
    </message>
    <message>
        <source>What is held now and what is still to be made fits, in the order of the graph: nothing more has to go.</source>
        <translation>Was jetzt belegt ist und was noch kommt, passt in der Reihenfolge des Graphen: Es muss nichts mehr gehen.</translation>
    </message>
    <message>
        <source>At %1 (op %2 of %3) the results that must stay leave too little room.</source>
        <translation>Bei %1 (Op %2 von %3) lassen die Ergebnisse, die bleiben müssen, zu wenig Platz.</translation>
    </message>
    <message>
        <source>At %1 (op %2 of %3) you would hold %4 that nobody needs before %5: %6. It is %7 too much, so some of it must go before and come back after.</source>
        <translation>Bei %1 (Op %2 von %3) hielten Sie %4, die niemand vor %5 braucht: %6. Das sind %7 zu viel; ein Teil davon muss vorher gehen und danach wiederkommen.</translation>
    </message>
</context>
<context>
    <name>RecentFiles</name>
    <message>
        <source>Today, %1</source>
        <translation>Heute, %1</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 days</source>
        <translation>%1 Tagen</translation>
    </message>
    <message>
        <source>1 plan</source>
        <translation>1 Plan</translation>
    </message>
    <message>
        <source>%1 plans</source>
        <translation>%1 Pläne</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>%1 and 1 more model with %2</source>
        <translation>%1 und 1 weiteres Modell mit %2</translation>
    </message>
    <message>
        <source>%1 and %2 more models with %3</source>
        <translation>%1 und %2 weitere Modelle mit %3</translation>
    </message>
    <message>
        <source>The program ended unexpectedly %1 ago. Kept: %2.</source>
        <translation>Das Programm endete vor %1 unerwartet. Erhalten: %2.</translation>
    </message>
</context>
<context>
    <name>SessionReader</name>
    <message>
        <source>%1, the model of %2, is not at %3 any more.</source>
        <translation>%1, das Modell von %2, ist nicht mehr in %3.</translation>
    </message>
    <message>
        <source>There are no device files. Install the program&apos;s resources again.</source>
        <translation>Es gibt keine Gerätedateien. Installieren Sie die Ressourcen des Programms neu.</translation>
    </message>
    <message>
        <source>%1 is another graph than the one that %2 was made with, so its plans do not fit.</source>
        <translation>%1 ist ein anderer Graph als der, mit dem %2 entstand; die Pläne passen nicht dazu.</translation>
    </message>
    <message>
        <source>%1, plan %2</source>
        <translation>%1, Plan %2</translation>
    </message>
    <message>
        <source>Choose the model that %1 was made for.</source>
        <translation>Wählen Sie das Modell, für das %1 gemacht wurde.</translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message>
        <source>Within this budget no plan is faster.</source>
        <translation>Innerhalb dieses Budgets ist kein Plan schneller.</translation>
    </message>
    <message>
        <source>Within this budget no plan with this order of ops is faster.</source>
        <translation>Innerhalb dieses Budgets ist kein Plan mit dieser Reihenfolge der Ops schneller.</translation>
    </message>
    <message>
        <source>Within this budget no plan in the model&apos;s order of ops is faster.</source>
        <translation>Innerhalb dieses Budgets ist kein Plan in der Reihenfolge des Modells schneller.</translation>
    </message>
    <message>
        <source>Quick plan</source>
        <translation>Schnellplan</translation>
    </message>
    <message>
        <source>Made in passing: press Solve for a better one.</source>
        <translation>Nebenbei gemacht: Lösen findet einen besseren.</translation>
    </message>
    <message>
        <source>Made for %1</source>
        <translation>Gemacht für %1</translation>
    </message>
    <message>
        <source>Not solved for this budget: press Solve, more memory may save time.</source>
        <translation>Für dieses Budget nicht gelöst: Lösen Sie neu, mehr Speicher kann Zeit sparen.</translation>
    </message>
    <message>
        <source>Not the fastest known</source>
        <translation>Nicht der schnellste</translation>
    </message>
    <message>
        <source>Within this budget %1, in the list of plans, saves %2 of every step.</source>
        <translation>Innerhalb dieses Budgets spart %1, in der Liste der Pläne, %2 in jedem Schritt.</translation>
    </message>
    <message>
        <source>Solved</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>Solved, gap %1</source>
        <translation>Gelöst, Lücke %1</translation>
    </message>
    <message>
        <source>How much faster a plan could be is not known.</source>
        <translation>Wie viel schneller ein Plan sein könnte, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>It adds at most %1 more time than any plan must, as far as is proven.</source>
        <translation>Er braucht höchstens %1 mehr zusätzliche Zeit, als jeder Plan muss, soweit bewiesen.</translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation>Bewiesen bester</translation>
    </message>
    <message>
        <source>That is about plans in these chunks.</source>
        <translation>Das gilt für Pläne in diesen Teilen.</translation>
    </message>
</context>
<context>
    <name>StepPlayer</name>
    <message>
        <source>This is the peak.</source>
        <translation>Das ist die Spitze.</translation>
    </message>
    <message>
        <source>Computes %1 because %2 reads it next, at step %3.</source>
        <translation>Berechnet %1, weil %2 es als Nächstes liest, bei Schritt %3.</translation>
    </message>
    <message>
        <source>Computes %1: it makes an output of the step, which is held to the end.</source>
        <translation>Berechnet %1: Es macht eine Ausgabe des Schritts, die bis zum Ende bleibt.</translation>
    </message>
    <message>
        <source>Computes %1; nothing reads what it makes.</source>
        <translation>Berechnet %1; nichts liest, was es macht.</translation>
    </message>
    <message>
        <source>Computed again because %2 reads %1 next; kept, it would have cost %3 over %4 steps.</source>
        <translation>Neu berechnet, weil %2 als Nächstes %1 liest; behalten hätte es %3 über %4 Schritte gekostet.</translation>
    </message>
    <message>
        <source>Computes %1 again; kept, it would have cost %3 over %4 steps.</source>
        <translation>Berechnet %1 neu; behalten hätte es %3 über %4 Schritte gekostet.</translation>
    </message>
    <message>
        <source>Frees %1, %2: nothing reads it any more.</source>
        <translation>Gibt %1 frei, %2: Nichts liest es mehr.</translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3: nothing reads them any more.</source>
        <translation>Gibt %1 und %2 weitere frei, %3: Nichts liest sie mehr.</translation>
    </message>
    <message>
        <source>Frees %1, %2, to make room; it is computed again at step %3, before %4 reads it.</source>
        <translation>Gibt %1 frei, %2, um Platz zu schaffen; bei Schritt %3 wird es neu berechnet, ehe %4 es liest.</translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3, to make room; they are computed again from step %4 on.</source>
        <translation>Gibt %1 und %2 weitere frei, %3, um Platz zu schaffen; ab Schritt %4 werden sie neu berechnet.</translation>
    </message>
    <message>
        <source>Frees %1, %2: a copy in host memory comes back at step %3.</source>
        <translation>Gibt %1 frei, %2: Eine Kopie im Hauptspeicher kommt bei Schritt %3 zurück.</translation>
    </message>
    <message>
        <source>Frees %1 and %2 more, %3: copies in host memory come back from step %4 on.</source>
        <translation>Gibt %1 und %2 weitere frei, %3: Kopien im Hauptspeicher kommen ab Schritt %4 zurück.</translation>
    </message>
    <message>
        <source>Copies %1, %2, to host memory: it is not read before it comes back at step %3.</source>
        <translation>Lagert %1 aus, %2: Es wird nicht gelesen, ehe es bei Schritt %3 zurückkommt.</translation>
    </message>
    <message>
        <source>Copies %1, %2, to host memory, where it stays.</source>
        <translation>Lagert %1 aus, %2; dort bleibt es.</translation>
    </message>
    <message>
        <source>Brings %1, %2, back from host memory because %3 reads it at step %4.</source>
        <translation>Lagert %1 ein, %2, weil %3 es bei Schritt %4 liest.</translation>
    </message>
    <message>
        <source>Brings %1, %2, back from host memory, where it began.</source>
        <translation>Lagert %1 ein, %2, das im Hauptspeicher begann.</translation>
    </message>
</context>
<context>
    <name>Summary</name>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Mehraufwand</translation>
    </message>
    <message>
        <source>How much longer a training step takes than with everything kept</source>
        <translation>Um wie viel länger ein Trainingsschritt dauert, als wenn alles behalten wird</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>No plan within the same budget has less overhead</source>
        <translation>Kein Plan im selben Budget hat weniger Mehraufwand</translation>
    </message>
    <message>
        <source>No bound was computed for one of the plans.</source>
        <translation>Für einen der Pläne wurde keine Schranke berechnet.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>One training step, forward and backward</source>
        <translation>Ein Trainingsschritt, vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Ops that are computed more than once</source>
        <translation>Ops, die mehr als einmal berechnet werden</translation>
    </message>
    <message>
        <source>Kept for backward</source>
        <translation>Behalten für rückwärts</translation>
    </message>
    <message>
        <source>All that is held from the forward to the backward pass</source>
        <translation>Alles, was vom Vorwärts- bis zum Rückwärtslauf gehalten wird</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>All that is parked in host memory</source>
        <translation>Alles, was in den Hauptspeicher ausgelagert ist</translation>
    </message>
</context>
<context>
    <name>TwoPlans</name>
    <message>
        <source>Both take the same memory and time</source>
        <translation>Beide brauchen gleich viel Speicher und Zeit</translation>
    </message>
    <message>
        <source>Peak and time per step are equal.</source>
        <translation>Spitze und Zeit je Schritt sind gleich.</translation>
    </message>
    <message>
        <source>%1 needs less memory in the same time</source>
        <translation>%1 braucht weniger Speicher bei gleicher Zeit</translation>
    </message>
    <message>
        <source>Its peak is %1 lower.</source>
        <translation>Seine Spitze ist %1 niedriger.</translation>
    </message>
    <message>
        <source>%1 is faster at the same peak</source>
        <translation>%1 ist schneller bei gleicher Spitze</translation>
    </message>
    <message>
        <source>It saves %1 of every step (%2 of overhead).</source>
        <translation>Er spart %1 in jedem Schritt (%2 Mehraufwand).</translation>
    </message>
    <message>
        <source>%1 needs less memory and less time</source>
        <translation>%1 braucht weniger Speicher und weniger Zeit</translation>
    </message>
    <message>
        <source>Its peak is %1 lower, and it saves %2 of every step (%3 of overhead).</source>
        <translation>Seine Spitze ist %1 niedriger, und er spart %2 in jedem Schritt (%3 Mehraufwand).</translation>
    </message>
    <message>
        <source>%1 is faster within the same budget</source>
        <translation>%1 ist schneller bei gleichem Budget</translation>
    </message>
    <message>
        <source>It saves %1 of every step (%2 of overhead). The peak of %3 is %4 lower, which the budget of %5 does not ask for.</source>
        <translation>Er spart %1 in jedem Schritt (%2 Mehraufwand). Die Spitze von %3 ist %4 niedriger, was das Budget von %5 nicht verlangt.</translation>
    </message>
    <message>
        <source>%1 is faster, %2 needs less memory</source>
        <translation>%1 ist schneller, %2 braucht weniger Speicher</translation>
    </message>
    <message>
        <source>%1 saves %2 of every step (%3 of overhead). The peak of %4 is %5 lower.</source>
        <translation>%1 spart %2 in jedem Schritt (%3 Mehraufwand). Die Spitze von %4 ist %5 niedriger.</translation>
    </message>
    <message>
        <source>less than 0.01 pp</source>
        <translation>weniger als 0.01 pp</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>no budget</source>
        <translation>kein Budget</translation>
    </message>
    <message>
        <source>%1 was made for %2, %3 for %4.</source>
        <translation>%1 wurde für %2 gemacht, %3 für %4.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>By hand was decided for %1: %2; for %3: %4.</source>
        <translation>Von Hand entschieden wurde für %1: %2; für %3: %4.</translation>
    </message>
    <message>
        <source>%1 was planned with the costs of %2, %3 with those of %4.</source>
        <translation>%1 wurde mit den Kosten von %2 geplant, %3 mit denen von %4.</translation>
    </message>
    <message>
        <source>%1 was searched for %2, %3 for %4.</source>
        <translation>%1 wurde %2 lang gesucht, %3 %4 lang.</translation>
    </message>
    <message>
        <source>Only %1 counts parameters, and may move them.</source>
        <translation>Nur %1 zählt Parameter und darf sie bewegen.</translation>
    </message>
    <message>
        <source>keep %1</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>recompute %1</source>
        <translation>%1 neu berechnen</translation>
    </message>
    <message>
        <source>never recompute %1</source>
        <translation>%1 nie neu berechnen</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Validating…</source>
        <translation>Validiert …</translation>
    </message>
</context>
<context>
    <name>ViewPicture</name>
    <message>
        <source>%1 cannot be written. Choose a folder that you may write to.</source>
        <translation>%1 lässt sich nicht schreiben. Wählen Sie einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
        <source>A picture ends in .svg, .pdf or .png, and %1 does not.</source>
        <translation>Ein Bild endet auf .svg, .pdf oder .png, %1 nicht.</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Address map</source>
        <translation>Adresskarte</translation>
    </message>
    <message>
        <source>Shows where every storage lies in device memory, and replays the plan</source>
        <translation>Zeigt, wo jeder Speicherbereich im Gerätespeicher liegt, und spielt den Plan ab</translation>
    </message>
    <message>
        <source>Bottom, tab Address map</source>
        <translation>Unten, Reiter „Adresskarte“</translation>
    </message>
    <message>
        <source>Where each storage lies over time, with gaps, height and replay.</source>
        <translation>Wo jeder Speicherbereich im Lauf der Zeit liegt, mit Lücken, Höhe und Wiedergabe.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Lays plans over each other in the centre</source>
        <translation>Legt Pläne in der Mitte übereinander</translation>
    </message>
    <message>
        <source>Compare plans</source>
        <translation>Pläne vergleichen</translation>
    </message>
    <message>
        <source>Centre, tab Compare</source>
        <translation>Mitte, Reiter „Vergleich“</translation>
    </message>
    <message>
        <source>Two to four plans over each other, with every difference in a table.</source>
        <translation>Zwei bis vier Pläne übereinander, jeder Unterschied in einer Tabelle.</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Fazit</translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation>Abwägung</translation>
    </message>
    <message>
        <source>Shows overhead over peak memory of all plans in the centre</source>
        <translation>Zeigt in der Mitte den Mehraufwand aller Pläne über ihrer Spitze</translation>
    </message>
    <message>
        <source>Trade-off of memory and time</source>
        <translation>Abwägung von Speicher und Zeit</translation>
    </message>
    <message>
        <source>Centre, tab Trade-off</source>
        <translation>Mitte, Reiter „Abwägung“</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Says what makes the peak, why the plan is not faster, and why the selection is kept or computed again</source>
        <translation>Sagt, was die Spitze ausmacht, warum der Plan nicht schneller ist und warum die Auswahl behalten oder neu berechnet wird</translation>
    </message>
    <message>
        <source>Why it is so</source>
        <translation>Warum es so ist</translation>
    </message>
    <message>
        <source>Right, Explain</source>
        <translation>Rechts, „Erklären“</translation>
    </message>
    <message>
        <source>What makes the peak, why the plan is not faster, what more memory buys; why an op is computed again, kept or offloaded, and what becomes of a cluster.</source>
        <translation>Was die Spitze ausmacht, warum der Plan nicht schneller ist, was mehr Speicher bringt; warum eine Op neu berechnet, behalten oder ausgelagert wird, und was aus einem Cluster wird.</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Shows the graph in the centre</source>
        <translation>Zeigt den Graphen in der Mitte</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Shows what is computed, computed again and copied over time</source>
        <translation>Zeigt, was wann berechnet, neu berechnet und kopiert wird</translation>
    </message>
    <message>
        <source>Lanes of compute and copies</source>
        <translation>Spuren für Rechnen und Kopieren</translation>
    </message>
    <message>
        <source>Bottom, tab Lanes</source>
        <translation>Unten, Reiter „Spuren“</translation>
    </message>
    <message>
        <source>What runs when: compute, recompute, copies out and in, and what waits.</source>
        <translation>Was wann läuft: rechnen, erneut rechnen, auslagern, einlagern, und was wartet.</translation>
    </message>
    <message>
        <source>R/S matrix</source>
        <translation>R/S-Matrix</translation>
    </message>
    <message>
        <source>Shows in the centre what is computed and kept from op to op</source>
        <translation>Zeigt in der Mitte, was von Op zu Op berechnet und behalten wird</translation>
    </message>
    <message>
        <source>Centre, tab R/S matrix</source>
        <translation>Mitte, Reiter „R/S-Matrix“</translation>
    </message>
    <message>
        <source>What is computed and what is kept at each step, as papers draw it.</source>
        <translation>Was in jedem Schritt berechnet und was behalten wird, wie in den Fachartikeln.</translation>
    </message>
    <message>
        <source>Matrix of forward ops</source>
        <translation>Matrix der Vorwärts-Ops</translation>
    </message>
    <message>
        <source>Matrix of all ops</source>
        <translation>Matrix aller Ops</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Shows memory over time at the bottom</source>
        <translation>Zeigt unten den Speicher über der Zeit</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>Speicher über der Zeit</translation>
    </message>
    <message>
        <source>Bottom, tab Memory</source>
        <translation>Unten, Reiter „Speicher“</translation>
    </message>
    <message>
        <source>What is held at each step, with keep-all behind it, the peak, and an overview to move in.</source>
        <translation>Was in jedem Schritt belegt ist, dahinter Keep-all, die Spitze und eine Übersicht zum Bewegen.</translation>
    </message>
    <message>
        <source>Largest storages by name</source>
        <translation>Größte Speicherbereiche mit Namen</translation>
    </message>
    <message>
        <source>Memory, header</source>
        <translation>Speicher, Kopfzeile</translation>
    </message>
    <message>
        <source>The bands of the largest storages, and one for the rest.</source>
        <translation>Die Bänder der größten Speicherbereiche und eines für den Rest.</translation>
    </message>
    <message>
        <source>Memory by the %1 largest storages</source>
        <translation>Speicher nach den %1 größten Bereichen</translation>
    </message>
    <message>
        <source>Memory by category</source>
        <translation>Speicher nach Kategorie</translation>
    </message>
    <message>
        <source>Show what makes the peak</source>
        <translation>Zeigen, woraus die Spitze besteht</translation>
    </message>
    <message>
        <source>Hide what makes the peak</source>
        <translation>Verbergen, woraus die Spitze besteht</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Solves</source>
        <translation>Lösungsläufe</translation>
    </message>
    <message>
        <source>Shows what is being solved and what waits</source>
        <translation>Zeigt, was gelöst wird und was wartet</translation>
    </message>
    <message>
        <source>Queue of solves</source>
        <translation>Warteschlange der Lösungsläufe</translation>
    </message>
    <message>
        <source>Bottom, tab Solves</source>
        <translation>Unten, Reiter „Lösungsläufe“</translation>
    </message>
    <message>
        <source>What waits, what runs, and how each one ended.</source>
        <translation>Was wartet, was läuft und wie jeder Lauf ausging.</translation>
    </message>
    <message>
        <source>Says which of two plans is better, and by how much</source>
        <translation>Sagt, welcher von zwei Plänen besser ist, und um wie viel</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>Lists what you decided by hand, to look at it or to take it back</source>
        <translation>Zeigt, was Sie von Hand entschieden haben, zum Ansehen oder Zurücknehmen</translation>
    </message>
    <message>
        <source>Time and steps</source>
        <translation>Zeit und Schritte</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt es?</translation>
    </message>
    <message>
        <source>Will it fit? What training takes with an optimizer, and on which devices</source>
        <translation>Passt es? Was das Training mit einem Optimierer braucht, und auf welche Geräte es passt</translation>
    </message>
    <message>
        <source>Will it fit?</source>
        <translation>Passt es?</translation>
    </message>
    <message>
        <source>Centre, tab Fits</source>
        <translation>Mitte, Reiter „Passt es?“</translation>
    </message>
    <message>
        <source>On which devices training fits, as it is or with a plan, and why not on others; with a second trace also the largest batch.</source>
        <translation>Auf welchen Geräten das Training passt, wie es ist oder mit einem Plan, und warum auf anderen nicht; mit einer zweiten Aufzeichnung auch der größte Batch.</translation>
    </message>
    <message>
        <source>Every plan as a point, the best of each planner as a line, what no plan can reach, and the memory of devices; sweeps fill it, here or on a Dask cluster.</source>
        <translation>Jeder Plan als Punkt, die besten jedes Planers als Linie, was kein Plan erreichen kann, und der Speicher von Geräten; Budgetreihen füllen sie, hier oder auf einem Dask-Cluster.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Sums of the chosen stretch of time: what came, what went, what took how long</source>
        <translation>Summen des gewählten Zeitbereichs: was kam, was ging, was wie lange dauerte</translation>
    </message>
    <message>
        <source>Sums of a stretch of time</source>
        <translation>Summen eines Zeitbereichs</translation>
    </message>
    <message>
        <source>Right, Range; Shift+drag in Memory or Lanes</source>
        <translation>Rechts, Bereich; Umschalt+Ziehen in Speicher oder Spuren</translation>
    </message>
    <message>
        <source>Bytes that came and went, time and recomputation by block, module, op, type or category, and each storage that came or went.</source>
        <translation>Bytes, die kamen und gingen, Zeit und Neuberechnung je Block, Modul, Op, Typ oder Kategorie, und jeder Speicherbereich, der kam oder ging.</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Lists what is saved for the backward pass, and why</source>
        <translation>Listet auf, was für den Rückwärtslauf gespeichert ist, und warum</translation>
    </message>
    <message>
        <source>Everything that is saved for the backward pass</source>
        <translation>Alles, was für den Rückwärtslauf gespeichert ist</translation>
    </message>
    <message>
        <source>Bottom, tab Tensors</source>
        <translation>Unten, Reiter Tensoren</translation>
    </message>
    <message>
        <source>Each tensor with its shape, bytes, lifetime, readers and source line; summed by module, block, op or type, and by module at the peak or at the cursor.</source>
        <translation>Jeder Tensor mit Form, Bytes, Lebensdauer, Lesern und Quellzeile; summiert je Modul, Block, Op oder Typ, und je Modul an der Spitze oder am Cursor.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Shows the calls of Python that the selection comes from, line by line</source>
        <translation>Zeigt Zeile für Zeile die Aufrufe in Python, aus denen die Auswahl stammt</translation>
    </message>
    <message>
        <source>Lines of Python</source>
        <translation>Zeilen in Python</translation>
    </message>
    <message>
        <source>Right, Source</source>
        <translation>Rechts, Quelle</translation>
    </message>
    <message>
        <source>Every call that the selected op, storage or module comes from, with file, line and code.</source>
        <translation>Jeder Aufruf, aus dem die gewählte Op, der Speicherbereich oder das Modul stammt, mit Datei, Zeile und Code.</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Plans the memory of a training step, and shows it.</source>
        <translation>Plant den Speicher eines Trainingsschritts und zeigt ihn.</translation>
    </message>
    <message>
        <source>Says this.</source>
        <translation>Zeigt diese Hilfe.</translation>
    </message>
    <message>
        <source>Opens a built-in sample, such as gpt2.</source>
        <translation>Öffnet ein mitgeliefertes Beispiel, etwa gpt2.</translation>
    </message>
    <message>
        <source>light, dark or contrast.</source>
        <translation>light, dark oder contrast.</translation>
    </message>
    <message>
        <source>Starts with this budget, such as 4GiB or 60%.</source>
        <translation>Beginnt mit diesem Budget, etwa 4GiB oder 60%.</translation>
    </message>
    <message>
        <source>Solves once the model is open.</source>
        <translation>Löst, sobald das Modell offen ist.</translation>
    </message>
    <message>
        <source>Sweeps over budgets once the model is open.</source>
        <translation>Rechnet eine Budgetreihe, sobald das Modell offen ist.</translation>
    </message>
    <message>
        <source>Size of the window, such as 1600x1000.</source>
        <translation>Größe des Fensters, etwa 1600x1000.</translation>
    </message>
    <message>
        <source>Waits until nothing runs, writes a picture of the window, and ends.</source>
        <translation>Wartet, bis nichts mehr läuft, schreibt ein Bild des Fensters und beendet sich.</translation>
    </message>
    <message>
        <source>Reopens what a program that was killed had open last.</source>
        <translation>Öffnet wieder, was ein abgebrochenes Programm zuletzt offen hatte.</translation>
    </message>
    <message>
        <source>See remat-studio --help.</source>
        <translation>Siehe remat-studio --help.</translation>
    </message>
    <message>
        <source>Only one file can be opened, and %n were given.</source>
        <translation>Nur eine Datei kann geöffnet werden, angegeben sind %n.</translation>
    </message>
    <message>
        <source>Give either a file or a sample, not both.</source>
        <translation>Geben Sie entweder eine Datei oder ein Beispiel an, nicht beides.</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>Es gibt keine Datei %1.</translation>
    </message>
    <message>
        <source>There is no theme %1. There are light, dark and contrast.</source>
        <translation>Es gibt kein Farbschema %1. Es gibt light, dark und contrast.</translation>
    </message>
    <message>
        <source>%1 is no size. Give one such as 1600x1000.</source>
        <translation>%1 ist keine Größe. Richtig ist zum Beispiel 1600x1000.</translation>
    </message>
    <message>
        <source>There is no sample %1. There are: %2.</source>
        <translation>Es gibt kein Beispiel %1. Es gibt: %2.</translation>
    </message>
    <message>
        <source>Opens a lesson, such as sqrt, or a lesson&apos;s file; sqrt:3 opens its third step.</source>
        <translation>Öffnet eine Lektion wie sqrt oder die Datei einer Lektion; sqrt:3 öffnet ihren dritten Schritt.</translation>
    </message>
    <message>
        <source>There is no lesson %1, or it cannot be read. There are: %2.</source>
        <translation>Es gibt keine Lektion %1, oder sie ist nicht lesbar. Es gibt: %2.</translation>
    </message>
    <message>
        <source>A training graph (.pt2), a graph, a plan or costs (.json), or a session to open.</source>
        <translation>Ein Trainingsgraph (.pt2), ein Graph, ein Plan oder Kosten (.json) oder eine Sitzung, die geöffnet wird.</translation>
    </message>
    <message>
        <source>Opens a puzzle, such as chain2, or a puzzle&apos;s file.</source>
        <translation>Öffnet ein Rätsel, etwa chain2, oder eine Rätseldatei.</translation>
    </message>
    <message>
        <source>There is no puzzle %1, or it cannot be read. There are: %2.</source>
        <translation>Es gibt kein Rätsel %1, oder es lässt sich nicht lesen. Es gibt: %2.</translation>
    </message>
    <message>
        <source>After these, a command by its id (--do show.lanes), or planner=NAME, set=KEY=VALUE, budget=BUDGET, select=OP, step=N, type=TEXT, animation=FILE. May be repeated.</source>
        <translation>Danach ein Befehl mit seiner Kennung (--do show.lanes), oder planner=NAME, set=KEY=VALUE, budget=BUDGET, select=OP, step=N, type=TEXT, animation=FILE. Darf mehrmals stehen.</translation>
    </message>
</context>
<context>
    <name>remat::studio::AboutWindow</name>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>unknown version</source>
        <translation>unbekannte Version</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Apache 2.0; parts of others are named in the manual</source>
        <translation>Apache 2.0; Teile anderer nennt das Handbuch</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>About Remat Studio</source>
        <translation>Über Remat Studio</translation>
    </message>
    <message>
        <source>Remat Studio</source>
        <translation>Remat Studio</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>remat::studio::ActivityBar</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>remat::studio::AddressCanvas</name>
    <message>
        <source>Address map over time</source>
        <translation>Adresskarte über der Zeit</translation>
    </message>
    <message numerus="yes">
        <source>%n blocks of memory over time, %1 in one piece. Space plays the plan, Left and Right step.</source>
        <translation>
            <numerusform>%n Speicherblock über die Zeit, %1 am Stück. Die Leertaste spielt den Plan ab, Links und Rechts gehen schrittweise.</numerusform>
            <numerusform>%n Speicherblöcke über die Zeit, %1 am Stück. Die Leertaste spielt den Plan ab, Links und Rechts gehen schrittweise.</numerusform>
        </translation>
    </message>
    <message>
        <source>No addresses yet: they come with a plan.</source>
        <translation>Noch keine Adressen: Sie kommen mit einem Plan.</translation>
    </message>
    <message>
        <source>At the cursor</source>
        <translation>Am Zeiger</translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation>An der Spitze</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Gaps below</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation>Budget %1</translation>
    </message>
    <message>
        <source>In one piece %1</source>
        <translation>Am Stück %1</translation>
    </message>
    <message>
        <source>workspace of %1</source>
        <translation>Hilfsspeicher von %1</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::AddressTable</name>
    <message>
        <source>Storage</source>
        <translation>Speicherbereich</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
</context>
<context>
    <name>remat::studio::AddressView</name>
    <message>
        <source>Open a model to see where its storages lie in memory.</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, wo seine Speicherbereiche liegen.</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>One computation back (,)</source>
        <translation>Eine Berechnung zurück (,)</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Replays the plan from the cursor on (Space)</source>
        <translation>Spielt den Plan vom Zeiger an ab (Leertaste)</translation>
    </message>
    <message>
        <source>Step on</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>One computation on (.)</source>
        <translation>Eine Berechnung weiter (.)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Looking for addresses for %1 steps</source>
        <translation>Sucht Adressen für %1 Schritte</translation>
    </message>
    <message>
        <source>%1 lost to gaps</source>
        <translation>%1 in Lücken verloren</translation>
    </message>
    <message>
        <source>no gaps at the peak</source>
        <translation>keine Lücken an der Spitze</translation>
    </message>
    <message>
        <source>Takes %1 in one piece · %2 in use at the peak · %3</source>
        <translation>Braucht %1 am Stück · %2 an der Spitze belegt · %3</translation>
    </message>
</context>
<context>
    <name>remat::studio::AliveList</name>
    <message>
        <source>Search by name</source>
        <translation>Nach Namen suchen</translation>
    </message>
</context>
<context>
    <name>remat::studio::AliveTable</name>
    <message>
        <source>Storage</source>
        <translation>Speicherbereich</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Since step</source>
        <translation>Seit Schritt</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>Hilfsspeicher</translation>
    </message>
</context>
<context>
    <name>remat::studio::BatchBox</name>
    <message>
        <source>Another batch…</source>
        <translation>Anderer Batch …</translation>
    </message>
    <message>
        <source>Opens a trace of the same step with another batch, or another length. From both follows what any batch takes</source>
        <translation>Öffnet eine Aufzeichnung desselben Schritts mit anderem Batch oder anderer Länge. Aus beiden folgt, was jeder Batch braucht</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Sizes and times follow the straight lines through traces of %1 and %2. Quick plans are looked at here: Solve may find a better one.</source>
        <translation>Größen und Zeiten folgen den Geraden durch Aufzeichnungen mit %1 und %2. Hier werden schnelle Pläne gesucht: Lösen findet vielleicht einen besseren.</translation>
    </message>
    <message>
        <source>Looking for a plan…</source>
        <translation>Sucht einen Plan …</translation>
    </message>
    <message>
        <source>%1 at %2: everything kept takes %3</source>
        <translation>%1 %2: alles zu behalten braucht %3</translation>
    </message>
    <message>
        <source>%1, which fits.</source>
        <translation>%1, und das passt.</translation>
    </message>
    <message>
        <source>%1, a plan %2 at %3 more time.</source>
        <translation>%1, ein Plan %2 bei %3 mehr Zeit.</translation>
    </message>
    <message>
        <source>%1, and no plan less than %2.</source>
        <translation>%1, und kein Plan weniger als %2.</translation>
    </message>
    <message>
        <source>%1. No quick plan fits.</source>
        <translation>%1. Kein schneller Plan passt.</translation>
    </message>
    <message>
        <source>Looking for the largest that fits…</source>
        <translation>Sucht den größten, der passt …</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>Largest in this budget: %1 with everything kept, %2 with a plan.</source>
        <translation>Größter in diesem Budget: %1, wenn alles behalten wird, %2 mit Plan.</translation>
    </message>
    <message>
        <source>The plan shown fits up to %1.</source>
        <translation>Der gezeigte Plan passt bis %1.</translation>
    </message>
</context>
<context>
    <name>remat::studio::Breadcrumb</name>
    <message>
        <source>Place in the model</source>
        <translation>Stelle im Modell</translation>
    </message>
</context>
<context>
    <name>remat::studio::BudgetBox</name>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>An amount such as 4GiB, a share of the keep-all peak such as 60%, or -500MiB for that much under it.</source>
        <translation>Eine Menge wie 4GiB, ein Anteil an der Keep-all-Spitze wie 60%, oder -500MiB für so viel weniger als diese.</translation>
    </message>
    <message>
        <source>%1 of keep-all</source>
        <translation>%1 von Keep-all</translation>
    </message>
    <message>
        <source>No plan can do with less than %1. Choose that or more.</source>
        <translation>Kein Plan kommt mit weniger als %1 aus. Wählen Sie so viel oder mehr.</translation>
    </message>
    <message>
        <source>Whole ops need %1. Choose that or more, or chunks.</source>
        <translation>Ganze Ops brauchen %1. Wählen Sie das oder mehr, oder Teile.</translation>
    </message>
</context>
<context>
    <name>remat::studio::BudgetSlider</name>
    <message>
        <source>Budget, share of the keep-all peak</source>
        <translation>Budget, Anteil an der Keep-all-Spitze</translation>
    </message>
    <message>
        <source>Drag to set the budget; no plan can reach into the hatched part. Arrow keys: 1 %, with Shift 0.1 %; Home: the smallest; End: 100 %.</source>
        <translation>Ziehen stellt das Budget ein; in den schraffierten Teil reicht kein Plan. Pfeiltasten: 1 %, mit Umschalt 0.1 %; Pos1: das kleinste; Ende: 100 %.</translation>
    </message>
    <message>
        <source>floor %1</source>
        <translation>Minimum %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::CallsTable</name>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::CardBox</name>
    <message>
        <source>Desktop and workstation</source>
        <translation>Desktop und Workstation</translation>
    </message>
    <message>
        <source>Data centre</source>
        <translation>Rechenzentrum</translation>
    </message>
    <message>
        <source>Laptop and edge</source>
        <translation>Laptop und Kleingeräte</translation>
    </message>
    <message>
        <source>Microcontrollers</source>
        <translation>Mikrocontroller</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>What you train on. Choose a card, or type any memory, such as 8 GB.</source>
        <translation>Worauf Sie trainieren. Wählen Sie eine Karte, oder tippen Sie einen Speicher wie 8 GB.</translation>
    </message>
    <message>
        <source>Choose, or type 8 GB</source>
        <translation>Wählen, oder 8 GB tippen</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Its states lie on the card beside the step, unless the step that is open holds them</source>
        <translation>Seine Zustände liegen neben dem Schritt auf der Karte, wenn der offene Schritt sie nicht enthält</translation>
    </message>
    <message>
        <source>No optimizer</source>
        <translation>Kein Optimierer</translation>
    </message>
    <message>
        <source>Other: type its memory</source>
        <translation>Andere: Speicher tippen</translation>
    </message>
    <message>
        <source>No card</source>
        <translation>Keine Karte</translation>
    </message>
    <message>
        <source>%1 is no memory of a card. Write it like 8 GB.</source>
        <translation>%1 ist kein Speicher einer Karte. Schreiben Sie ihn wie 8 GB.</translation>
    </message>
    <message>
        <source>Cannot fit: parameters, inputs and states alone take %1.</source>
        <translation>Passt nicht: Parameter, Eingaben und Zustände allein brauchen %1.</translation>
    </message>
    <message>
        <source>Cannot fit: the update alone takes %1 for gradients and temporaries, and %2 are left.</source>
        <translation>Passt nicht: Das Update allein braucht %1 für Gradienten und Zwischenwerte, und %2 bleiben.</translation>
    </message>
    <message>
        <source>Fits as it is: %1 of %2.</source>
        <translation>Passt, wie es ist: %1 von %2.</translation>
    </message>
    <message>
        <source>Cannot fit: %1 alone needs %2, and %3 are left for the step.</source>
        <translation>Passt nicht: %1 allein braucht %2, und %3 bleiben für den Schritt.</translation>
    </message>
    <message>
        <source>Cannot fit: the results alone need %1, and %2 are left for the step.</source>
        <translation>Passt nicht: Die Ergebnisse allein brauchen %1, und %2 bleiben für den Schritt.</translation>
    </message>
    <message>
        <source>Fits at %1 more time.</source>
        <translation>Passt mit %1 mehr Zeit.</translation>
    </message>
    <message>
        <source>Fits at %1 more time or less: Solve.</source>
        <translation>Passt mit höchstens %1 mehr Zeit: Lösen.</translation>
    </message>
    <message>
        <source>No quick plan fits: Solve looks longer.</source>
        <translation>Kein Schnellplan passt: Lösen sucht länger.</translation>
    </message>
    <message>
        <source>Looking for a plan…</source>
        <translation>Sucht einen Plan …</translation>
    </message>
    <message>
        <source>%1 of %2 are left for the step, beside parameters and inputs (%3), states of the optimizer (%4) and %5 that stay free.</source>
        <translation>%1 von %2 bleiben für den Schritt, neben Parametern und Eingaben (%3), Zuständen des Optimierers (%4) und %5, die frei bleiben.</translation>
    </message>
    <message>
        <source>Budget: the %1 that it leaves</source>
        <translation>Budget: die %1, die bleiben</translation>
    </message>
</context>
<context>
    <name>remat::studio::CertificateWindow</name>
    <message>
        <source>The plan did not hold what it promised</source>
        <translation>Der Plan hat nicht gehalten, was er versprach</translation>
    </message>
    <message>
        <source>Within the budget; results not compared</source>
        <translation>Im Budget; Ergebnisse nicht verglichen</translation>
    </message>
    <message>
        <source>The plan held what it promised</source>
        <translation>Der Plan hat gehalten, was er versprach</translation>
    </message>
    <message>
        <source>Open the graph of the step, and the plan, before the certificate to see whether it is of them.</source>
        <translation>Öffnen Sie vor dem Zertifikat den Graphen des Schritts und den Plan, um zu sehen, ob es zu ihnen gehört.</translation>
    </message>
    <message>
        <source>It is of this graph and of the plan “%1”, step by step.</source>
        <translation>Es gehört zu diesem Graphen und zum Plan „%1“, Schritt für Schritt.</translation>
    </message>
    <message>
        <source>It is of the open graph, and of none of its open plans. Open the plan of the training as well.</source>
        <translation>Es gehört zum offenen Graphen, aber zu keinem seiner offenen Pläne. Öffnen Sie auch den Plan des Trainings.</translation>
    </message>
    <message>
        <source>Certificate – %1</source>
        <translation>Zertifikat – %1</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Without a plan</source>
        <translation>Ohne Plan</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>did not fit</source>
        <translation>passte nicht</translation>
    </message>
    <message>
        <source>Time of the step</source>
        <translation>Zeit des Schritts</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>%1, and %2 known to lie beside the plan</source>
        <translation>%1, und %2 liegen bekanntlich neben dem Plan</translation>
    </message>
    <message>
        <source>Peak held during</source>
        <translation>Spitze während</translation>
    </message>
    <message>
        <source>Proven bound</source>
        <translation>Bewiesene Schranke</translation>
    </message>
    <message>
        <source>no plan in this order of ops is faster by more than %1</source>
        <translation>kein Plan in dieser Reihenfolge der Ops ist um mehr als %1 schneller</translation>
    </message>
    <message>
        <source>none was proven for this plan</source>
        <translation>für diesen Plan wurde keine bewiesen</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Made with</source>
        <translation>Erstellt mit</translation>
    </message>
    <message>
        <source>%1, PyTorch %2, on %3</source>
        <translation>%1, PyTorch %2, auf %3</translation>
    </message>
    <message>
        <source>a GPU</source>
        <translation>einer GPU</translation>
    </message>
    <message>
        <source>a CPU</source>
        <translation>einer CPU</translation>
    </message>
    <message>
        <source>Its digest</source>
        <translation>Prüfsumme</translation>
    </message>
    <message>
        <source>agrees with its text: it is as training wrote it</source>
        <translation>stimmt mit dem Text überein: Es ist so, wie das Training es schrieb</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
</context>
<context>
    <name>remat::studio::ChoiceRow</name>
    <message>
        <source>Right: %1</source>
        <translation>Richtig: %1</translation>
    </message>
    <message>
        <source>Wrong: %1</source>
        <translation>Falsch: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkBox</name>
    <message>
        <source>If needed</source>
        <translation>Bei Bedarf</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>By hand</source>
        <translation>Von Hand</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Ops that run in pieces need less memory at once. Automatic: Solve decides what does, and opens the model so beside this one. If needed: the planner Automatic does so for budgets that no plan of whole ops can meet.</source>
        <translation>Ops, die in Teilen laufen, brauchen weniger Speicher auf einmal. Automatisch: Lösen entscheidet, was so läuft, und öffnet das Modell so neben diesem. Bei Bedarf: Der Planer Automatisch tut das für Budgets, die kein Plan ganzer Ops einhalten kann.</translation>
    </message>
    <message>
        <source>In chunks</source>
        <translation>In Teilen</translation>
    </message>
    <message>
        <source>head=8: the loss and what leads to it in 8 pieces. The name of an op takes what is around it; a comma stands between several. Enter opens the model so.</source>
        <translation>head=8: der Verlust und was zu ihm führt in 8 Teilen. Der Name einer Op nimmt, was um sie herum steht; zwischen mehreren steht ein Komma. Enter öffnet das Modell so.</translation>
    </message>
    <message>
        <source>Never in chunks</source>
        <translation>Nie in Teilen</translation>
    </message>
    <message>
        <source>Names of ops, with commas between them. Solve cuts none of them, nor what would have to be cut with them.</source>
        <translation>Namen von Ops, mit Kommas dazwischen. Lösen schneidet keine von ihnen, und auch nicht, was mit ihnen geschnitten werden müsste.</translation>
    </message>
    <message>
        <source>Chunks: %1</source>
        <translation>Teile: %1</translation>
    </message>
    <message>
        <source>Never in chunks: %1</source>
        <translation>Nie in Teilen: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkCommands</name>
    <message>
        <source>In %1 chunks</source>
        <translation>In %1 Teilen</translation>
    </message>
    <message>
        <source>Opens the model with the selected op, and what has to be cut with it, in %1 pieces</source>
        <translation>Öffnet das Modell mit der gewählten Op und dem, was mit ihr geschnitten werden muss, in %1 Teilen</translation>
    </message>
    <message>
        <source>Never in chunks</source>
        <translation>Nie in Teilen</translation>
    </message>
    <message>
        <source>Solve leaves the selected op whole</source>
        <translation>Lösen lässt die gewählte Op ganz</translation>
    </message>
    <message>
        <source>May run in chunks</source>
        <translation>Darf in Teilen laufen</translation>
    </message>
    <message>
        <source>Leaves the selected op to Solve again</source>
        <translation>Überlässt die gewählte Op wieder dem Lösen</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Teile</translation>
    </message>
</context>
<context>
    <name>remat::studio::ChunkLine</name>
    <message>
        <source>Ops whole</source>
        <translation>Ops ganz</translation>
    </message>
    <message>
        <source>Shows the model with its ops whole</source>
        <translation>Zeigt das Modell mit ganzen Ops</translation>
    </message>
    <message>
        <source>In %1: floor %2</source>
        <translation>%1: Minimum %2</translation>
    </message>
    <message>
        <source>Solve so</source>
        <translation>So lösen</translation>
    </message>
    <message>
        <source>Solves for this budget with the chunks that suit it, and opens the model so beside this one</source>
        <translation>Löst für dieses Budget mit den Teilen, die dazu passen, und öffnet das Modell so neben diesem</translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation>Läuft so: %1</translation>
    </message>
    <message>
        <source>%1. What is proven here is proven of plans in these chunks.</source>
        <translation>%1. Was hier bewiesen ist, gilt für Pläne in diesen Teilen.</translation>
    </message>
</context>
<context>
    <name>remat::studio::ClassPage</name>
    <message>
        <source>For lecturers</source>
        <translation>Für Lehrende</translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterModel</name>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Uses</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Opt.</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>Lücke</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>How much better this block could be planned is not known yet.</source>
        <translation>Wie viel besser dieser Block geplant werden könnte, ist noch nicht bekannt.</translation>
    </message>
    <message>
        <source>holds %1 from forward to backward, adds %2</source>
        <translation>hält %1 vom Vorwärts- zum Rückwärtslauf, braucht %2 mehr</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gewählt</translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTable</name>
    <message>
        <source>Clusters being solved</source>
        <translation>Cluster, die gelöst werden</translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTreeModel</name>
    <message numerus="yes">
        <source>%n identical, solved once</source>
        <translation>
            <numerusform>%n gleicher, einmal gelöst</numerusform>
            <numerusform>%n gleiche, einmal gelöst</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 held at the peak of keep-all</source>
        <translation>%1 an der Spitze von Keep-all belegt</translation>
    </message>
    <message numerus="yes">
        <source>One of %n identical</source>
        <translation>
            <numerusform>Einer von %n gleichen</numerusform>
            <numerusform>Einer von %n gleichen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::ClusterTreeView</name>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Zerlegung</translation>
    </message>
</context>
<context>
    <name>remat::studio::Commands</name>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Reopen the closed model</source>
        <translation>Geschlossenes Modell wieder öffnen</translation>
    </message>
    <message>
        <source>The model that was closed last, with its plans; the last session where none was</source>
        <translation>Das zuletzt geschlossene Modell mit seinen Plänen; gab es keines, die letzte Sitzung</translation>
    </message>
    <message>
        <source>Reopen the last session</source>
        <translation>Letzte Sitzung wieder öffnen</translation>
    </message>
    <message>
        <source>Everything as it was when a window was closed last</source>
        <translation>Alles, wie es war, als zuletzt ein Fenster geschlossen wurde</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>Plan speichern …</translation>
    </message>
    <message>
        <source>Writes the current plan to a file that PyTorch and the command line read</source>
        <translation>Schreibt den aktuellen Plan in eine Datei, die PyTorch und die Kommandozeile lesen</translation>
    </message>
    <message>
        <source>Save session…</source>
        <translation>Sitzung speichern …</translation>
    </message>
    <message>
        <source>Writes everything that is shown to a file that opens again exactly as it is</source>
        <translation>Schreibt alles, was zu sehen ist, in eine Datei, die sich genauso wieder öffnet</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Samples and recent files; open models stay open</source>
        <translation>Beispiele und letzte Dateien; offene Modelle bleiben offen</translation>
    </message>
    <message>
        <source>Close model</source>
        <translation>Modell schließen</translation>
    </message>
    <message>
        <source>Closes the model that is shown; its plans come back with it</source>
        <translation>Schließt das gezeigte Modell; seine Pläne kommen mit ihm zurück</translation>
    </message>
    <message>
        <source>Close window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Closes this window; others stay</source>
        <translation>Schließt dieses Fenster; andere bleiben</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Closes all windows</source>
        <translation>Schließt alle Fenster</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>A second window for another model, or another view of this one</source>
        <translation>Ein zweites Fenster für ein anderes Modell, oder eine andere Sicht auf dieses</translation>
    </message>
    <message>
        <source>Next model</source>
        <translation>Nächstes Modell</translation>
    </message>
    <message>
        <source>Shows the next open model</source>
        <translation>Zeigt das nächste offene Modell</translation>
    </message>
    <message>
        <source>Previous model</source>
        <translation>Voriges Modell</translation>
    </message>
    <message>
        <source>Shows the open model before</source>
        <translation>Zeigt das vorige offene Modell</translation>
    </message>
    <message>
        <source>Edit the budget</source>
        <translation>Budget bearbeiten</translation>
    </message>
    <message>
        <source>Goes to the budget field</source>
        <translation>Geht in das Budgetfeld</translation>
    </message>
    <message>
        <source>Set the smallest budget</source>
        <translation>Kleinstes Budget einstellen</translation>
    </message>
    <message>
        <source>The least memory that any plan can do with</source>
        <translation>So wenig Speicher, wie ein Plan mindestens braucht</translation>
    </message>
    <message>
        <source>Remove plan</source>
        <translation>Plan entfernen</translation>
    </message>
    <message>
        <source>Takes the current plan out of the list</source>
        <translation>Nimmt den aktuellen Plan aus der Liste</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Looks for the fastest plan within the budget</source>
        <translation>Sucht den schnellsten Plan im Budget</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Ends what is running; the best plan found so far stays</source>
        <translation>Beendet, was läuft; der bisher beste Plan bleibt</translation>
    </message>
    <message>
        <source>Validate</source>
        <translation>Validieren</translation>
    </message>
    <message>
        <source>Runs the plan and compares loss, gradients and peak with keep-all</source>
        <translation>Führt den Plan aus und vergleicht Verlust, Gradienten und Spitze mit Keep-all</translation>
    </message>
    <message>
        <source>Measure costs on this machine</source>
        <translation>Kosten auf diesem Rechner messen</translation>
    </message>
    <message>
        <source>Runs every op and takes the measured times as costs</source>
        <translation>Führt jede Op aus und nimmt die gemessenen Zeiten als Kosten</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Budgetreihe</translation>
    </message>
    <message>
        <source>Plans many budgets with several planners and shows them as trade-off curves</source>
        <translation>Plant viele Budgets mit mehreren Planern und zeigt sie als Kurven der Abwägung</translation>
    </message>
    <message>
        <source>Fit the view</source>
        <translation>Ansicht einpassen</translation>
    </message>
    <message>
        <source>Centres the selection of the graph, once more shows all of it; all of the time in the memory view</source>
        <translation>Zentriert die Auswahl im Graphen, beim zweiten Mal zeigt es ihn ganz; im Speicher die ganze Zeit</translation>
    </message>
    <message>
        <source>Modules and plans panel</source>
        <translation>Panel „Module und Pläne“</translation>
    </message>
    <message>
        <source>Shows or hides the left panel</source>
        <translation>Zeigt oder verbirgt das linke Panel</translation>
    </message>
    <message>
        <source>Memory panel</source>
        <translation>Speicher-Panel</translation>
    </message>
    <message>
        <source>Shows or hides the memory timeline</source>
        <translation>Zeigt oder verbirgt den Speicher über der Zeit</translation>
    </message>
    <message>
        <source>Plan panel</source>
        <translation>Plan-Panel</translation>
    </message>
    <message>
        <source>Next panel</source>
        <translation>Nächstes Panel</translation>
    </message>
    <message>
        <source>Moves the keyboard to the next panel</source>
        <translation>Bringt die Tastatur zum nächsten Panel</translation>
    </message>
    <message>
        <source>Previous panel</source>
        <translation>Voriges Panel</translation>
    </message>
    <message>
        <source>Moves the keyboard to the panel before</source>
        <translation>Bringt die Tastatur zum vorigen Panel</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>Puts all panels back to where they were at first</source>
        <translation>Stellt alle Panels dorthin zurück, wo sie zuerst waren</translation>
    </message>
    <message>
        <source>Keys and commands</source>
        <translation>Tasten und Befehle</translation>
    </message>
    <message>
        <source>Lists every command and its key</source>
        <translation>Listet jeden Befehl und seine Taste auf</translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation>Eigenes Modell aufzeichnen</translation>
    </message>
    <message>
        <source>The command that makes a training graph from a PyTorch model</source>
        <translation>Der Befehl, der aus einem PyTorch-Modell einen Trainingsgraphen macht</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Shows the plan panel; hides the right side when it is in front</source>
        <translation>Zeigt das Planpanel; ist es vorn, wird die rechte Seite ausgeblendet</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Opens a training graph (.pt2), a graph, a plan or costs (.json), or a session</source>
        <translation>Öffnet einen Trainingsgraphen (.pt2), einen Graphen, einen Plan oder Kosten (.json) oder eine Sitzung</translation>
    </message>
    <message>
        <source>Train with this…</source>
        <translation>Damit trainieren …</translation>
    </message>
    <message>
        <source>The lines for your script, and every export with what it takes and what it loses</source>
        <translation>Die Zeilen für Ihr Skript, und jede Ausgabe mit dem, was sie braucht und verliert</translation>
    </message>
    <message>
        <source>Centre views</source>
        <translation>Ansichten in der Mitte</translation>
    </message>
    <message>
        <source>Bottom views</source>
        <translation>Ansichten unten</translation>
    </message>
    <message>
        <source>Right-hand views</source>
        <translation>Ansichten rechts</translation>
    </message>
    <message>
        <source>About Remat Studio</source>
        <translation>Über Remat Studio</translation>
    </message>
    <message>
        <source>Version, licence, and the PyTorch that was found</source>
        <translation>Version, Lizenz und das gefundene PyTorch</translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareCanvas</name>
    <message>
        <source>Memory over time of the compared plans</source>
        <translation>Speicher der verglichenen Pläne über der Zeit</translation>
    </message>
    <message>
        <source>No two plans are compared.</source>
        <translation>Keine zwei Pläne werden verglichen.</translation>
    </message>
    <message>
        <source>%1: %2, peak %3, %4</source>
        <translation>%1: %2, Spitze %3, %4</translation>
    </message>
    <message>
        <source>. Left and Right step, W and S zoom, A and D move, F shows all.</source>
        <translation>. Links und Rechts gehen schrittweise, W und S zoomen, A und D bewegen, F zeigt alles.</translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareHeader</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Aligned by op</source>
        <translation>Nach Ops</translation>
    </message>
    <message>
        <source>Compare another plan</source>
        <translation>Weiteren Plan vergleichen</translation>
    </message>
    <message>
        <source>Lays another plan over these</source>
        <translation>Legt einen weiteren Plan über diese</translation>
    </message>
    <message>
        <source>By time, by steps of each plan, or each op where A computes it first</source>
        <translation>Nach Zeit, nach Schritten jedes Plans, oder jede Op dort, wo A sie zuerst berechnet</translation>
    </message>
    <message>
        <source>%1, peak %2</source>
        <translation>%1, Spitze %2</translation>
    </message>
    <message>
        <source>Take away</source>
        <translation>Wegnehmen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::CompareView</name>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Storages</source>
        <translation>Speicherbereiche</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Filter of differences</source>
        <translation>Filter für Unterschiede</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Save differences as CSV</source>
        <translation>Unterschiede als CSV speichern</translation>
    </message>
    <message>
        <source>Saves the rows shown here as CSV</source>
        <translation>Speichert die hier gezeigten Zeilen als CSV</translation>
    </message>
    <message>
        <source>The plan that A is compared with</source>
        <translation>Der Plan, mit dem A verglichen wird</translation>
    </message>
    <message>
        <source>Negative bytes: A holds less at its peak. Negative time: A spends less on recomputing.</source>
        <translation>Negative Bytes: A belegt an der Spitze weniger. Negative Zeit: A rechnet weniger neu.</translation>
    </message>
    <message>
        <source>Show differences of %1</source>
        <translation>Unterschiede von %1 zeigen</translation>
    </message>
    <message>
        <source>Compare by %1</source>
        <translation>Nach %1 vergleichen</translation>
    </message>
    <message>
        <source>%1 storages in %2 groups, largest first</source>
        <translation>%1 Speicherbereiche in %2 Gruppen, größte zuerst</translation>
    </message>
    <message>
        <source>%1 ops in %2 groups, largest first</source>
        <translation>%1 Ops in %2 Gruppen, größte zuerst</translation>
    </message>
    <message>
        <source>%1 clusters in %2 groups, largest first</source>
        <translation>%1 Cluster in %2 Gruppen, größte zuerst</translation>
    </message>
    <message>
        <source>%1 of them differ in state.</source>
        <translation>%1 davon unterscheiden sich im Zustand.</translation>
    </message>
    <message>
        <source>Open a model to compare plans of it.</source>
        <translation>Öffnen Sie ein Modell, um seine Pläne zu vergleichen.</translation>
    </message>
    <message>
        <source>There are not two plans yet. Solve with another budget or planner.</source>
        <translation>Es gibt noch keine zwei Pläne. Lösen Sie mit einem anderen Budget oder Planer.</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Select two plans in the list and press C.</source>
        <translation>Wählen Sie zwei Pläne in der Liste aus und drücken Sie C.</translation>
    </message>
</context>
<context>
    <name>remat::studio::Comparing</name>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>Changes the letters of the two compared plans</source>
        <translation>Vertauscht die Buchstaben der beiden verglichenen Pläne</translation>
    </message>
    <message>
        <source>Save differences as CSV…</source>
        <translation>Unterschiede als CSV speichern …</translation>
    </message>
    <message>
        <source>Writes the rows that the table of differences shows</source>
        <translation>Schreibt die Zeilen, die die Tabelle der Unterschiede zeigt</translation>
    </message>
    <message>
        <source>Save differences</source>
        <translation>Unterschiede speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>The differences are in %1.</source>
        <translation>Die Unterschiede sind in %1.</translation>
    </message>
    <message>
        <source>%1 Choose another folder.</source>
        <translation>%1 Wählen Sie einen anderen Ordner.</translation>
    </message>
</context>
<context>
    <name>remat::studio::CostBox</name>
    <message>
        <source>Costs of</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Where the time of each op comes from: a device&apos;s data sheet, or a measured profile.</source>
        <translation>Woher die Zeit jeder Op kommt: aus dem Datenblatt eines Geräts oder einem gemessenen Profil.</translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation>Profil …</translation>
    </message>
    <message>
        <source>Measure on this machine…</source>
        <translation>Auf diesem Rechner messen …</translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveCanvas</name>
    <message>
        <source>Time overhead over peak memory of all plans</source>
        <translation>Mehraufwand an Zeit über der Spitze aller Pläne</translation>
    </message>
    <message>
        <source>Enter loads it.</source>
        <translation>Die Eingabetaste lädt ihn.</translation>
    </message>
    <message>
        <source>Peak %1, %2 of keep-all</source>
        <translation>Spitze %1, %2 von Keep-all</translation>
    </message>
    <message>
        <source>Overhead %1</source>
        <translation>Mehraufwand %1</translation>
    </message>
    <message>
        <source>Measured peak %1</source>
        <translation>Gemessene Spitze %1</translation>
    </message>
    <message>
        <source>Measured overhead %1</source>
        <translation>Gemessener Mehraufwand %1</translation>
    </message>
    <message>
        <source>For reference; it is not in the list of plans.</source>
        <translation>Zum Vergleich; er steht nicht in der Liste der Pläne.</translation>
    </message>
    <message>
        <source>The same planner has a better plan.</source>
        <translation>Derselbe Planer hat einen besseren Plan.</translation>
    </message>
    <message>
        <source>%1 found no plan within %2.</source>
        <translation>%1 fand keinen Plan innerhalb von %2.</translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveTable</name>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Share of keep-all</source>
        <translation>Anteil an Keep-all</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Mehraufwand</translation>
    </message>
    <message>
        <source>Peak, measured</source>
        <translation>Spitze, gemessen</translation>
    </message>
    <message>
        <source>Overhead, measured</source>
        <translation>Mehraufwand, gemessen</translation>
    </message>
    <message>
        <source>Best of its planner</source>
        <translation>Bester seines Planers</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Vergleichswert</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>remat::studio::CurveView</name>
    <message>
        <source>Open a model to see what memory costs.</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, was Speicher kostet.</translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsBox</name>
    <message>
        <source>Decisions made by hand</source>
        <translation>Entscheidungen von Hand</translation>
    </message>
    <message>
        <source>Clear all</source>
        <translation>Alle löschen</translation>
    </message>
    <message>
        <source>Decisions · %1</source>
        <translation>Entscheidungen · %1</translation>
    </message>
    <message>
        <source>Nothing is decided by hand. Select an op, a storage or a cluster, and press K to keep it, R to recompute it, N to never recompute it.</source>
        <translation>Nichts ist von Hand entschieden. Wählen Sie eine Op, einen Speicherbereich oder ein Cluster und drücken Sie K zum Behalten, R zum Neuberechnen, N, damit nie neu berechnet wird.</translation>
    </message>
    <message>
        <source>Takes every decision made by hand back</source>
        <translation>Nimmt jede Entscheidung von Hand zurück</translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsLine</name>
    <message numerus="yes">
        <source>%n decided by hand</source>
        <translation>
            <numerusform>%n von Hand entschieden</numerusform>
            <numerusform>%n von Hand entschieden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 The plan shown is the one from before.</source>
        <translation>%1 Zu sehen ist der Plan von vorher.</translation>
    </message>
    <message>
        <source>What that costs is known once this is solved.</source>
        <translation>Was das kostet, steht fest, sobald gelöst ist.</translation>
    </message>
    <message>
        <source>That costs nothing: no step takes longer.</source>
        <translation>Das kostet nichts: Kein Schritt dauert länger.</translation>
    </message>
    <message>
        <source>That costs %1 of every step, %2 of its time with everything kept.</source>
        <translation>Das kostet %1 in jedem Schritt, %2 seiner Zeit mit Keep-all.</translation>
    </message>
</context>
<context>
    <name>remat::studio::DecisionsModel</name>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>Erzeugt</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Never recompute</source>
        <translation>Nie neu berechnen</translation>
    </message>
    <message>
        <source>Clear decision</source>
        <translation>Entscheidung löschen</translation>
    </message>
    <message>
        <source>Take this decision back</source>
        <translation>Diese Entscheidung zurücknehmen</translation>
    </message>
</context>
<context>
    <name>remat::studio::DetailsStrip</name>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Copy the details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Copies everything that is known of the op</source>
        <translation>Kopiert alles, was über die Op bekannt ist</translation>
    </message>
    <message>
        <source>Hide the details</source>
        <translation>Einzelheiten ausblenden</translation>
    </message>
    <message>
        <source>Hides the details (I)</source>
        <translation>Blendet die Einzelheiten aus (I)</translation>
    </message>
    <message>
        <source>The trace has no source line for this op.</source>
        <translation>Die Aufzeichnung hat keine Quellzeile für diese Op.</translation>
    </message>
    <message>
        <source>Reads</source>
        <translation>Liest</translation>
    </message>
    <message>
        <source>Feeds</source>
        <translation>Speist</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
</context>
<context>
    <name>remat::studio::DifferenceModel</name>
    <message>
        <source>A holds %1 less at its peak</source>
        <translation>A belegt an der Spitze %1 weniger</translation>
    </message>
    <message>
        <source>A holds %1 more at its peak</source>
        <translation>A belegt an der Spitze %1 mehr</translation>
    </message>
    <message>
        <source>What A holds at its peak, less what %1 holds at its own</source>
        <translation>Was A an der eigenen Spitze belegt, abzüglich dessen, was %1 an der eigenen belegt</translation>
    </message>
    <message>
        <source>What A spends on computing it again, less what %1 does</source>
        <translation>Zeit, in der A es neu berechnet, abzüglich der von %1</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicherbereich</translation>
    </message>
    <message>
        <source>Uses</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Bytes, A − %1</source>
        <translation>Bytes, A − %1</translation>
    </message>
    <message>
        <source>Time, A − %1</source>
        <translation>Zeit, A − %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::DifferenceTable</name>
    <message>
        <source>Differences of the compared plans</source>
        <translation>Unterschiede der verglichenen Pläne</translation>
    </message>
    <message>
        <source> (bytes)</source>
        <translation> (Bytes)</translation>
    </message>
    <message>
        <source> (µs)</source>
        <translation> (µs)</translation>
    </message>
    <message>
        <source>Nothing has this in its name or state.</source>
        <translation>Nichts hat das im Namen oder Zustand.</translation>
    </message>
    <message>
        <source>The two plans hold and recompute the same.</source>
        <translation>Die beiden Pläne halten und berechnen dasselbe.</translation>
    </message>
</context>
<context>
    <name>remat::studio::Docks</name>
    <message>
        <source>Takes the panel out of the window, or puts it back; by its title it can be dragged to another side, too</source>
        <translation>Löst das Panel aus dem Fenster oder fügt es wieder ein; an seinem Titel lässt es sich auch an eine andere Seite ziehen</translation>
    </message>
    <message>
        <source>Modules and plans in a window of their own</source>
        <translation>Module und Pläne im eigenen Fenster</translation>
    </message>
    <message>
        <source>Memory views in a window of their own</source>
        <translation>Ansichten des Speichers im eigenen Fenster</translation>
    </message>
    <message>
        <source>Plan panel in a window of its own</source>
        <translation>Plan-Panel im eigenen Fenster</translation>
    </message>
</context>
<context>
    <name>remat::studio::Explain</name>
    <message>
        <source>Show step</source>
        <translation>Schritt zeigen</translation>
    </message>
    <message>
        <source>Moves the cursor to the first step that breaks a rule</source>
        <translation>Bringt den Zeiger zum ersten Schritt, der eine Regel verletzt</translation>
    </message>
</context>
<context>
    <name>remat::studio::ExplainView</name>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Storages held at the peak</source>
        <translation>An der Spitze gehaltene Speicherbereiche</translation>
    </message>
</context>
<context>
    <name>remat::studio::ExplanationCard</name>
    <message>
        <source>Moves the cursor to this step</source>
        <translation>Bringt den Zeiger zu diesem Schritt</translation>
    </message>
    <message>
        <source>Selects %1</source>
        <translation>Wählt %1 aus</translation>
    </message>
</context>
<context>
    <name>remat::studio::Exports</name>
    <message>
        <source>Export plan…</source>
        <translation>Plan exportieren …</translation>
    </message>
    <message>
        <source>Writes the plan as %1</source>
        <translation>Schreibt den Plan als %1</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Bericht …</translation>
    </message>
    <message>
        <source>One page with figures and curves of the compared plans, or of the current one</source>
        <translation>Eine Seite mit Zahlen und Kurven der verglichenen Pläne oder des aktuellen</translation>
    </message>
    <message>
        <source>Write a report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Pages (*.html)</source>
        <translation>Seiten (*.html)</translation>
    </message>
    <message>
        <source>Export view…</source>
        <translation>Ansicht exportieren …</translation>
    </message>
    <message>
        <source>Writes the view that has the keyboard as SVG, PDF or PNG</source>
        <translation>Schreibt die Ansicht, die die Tastatur hat, als SVG, PDF oder PNG</translation>
    </message>
    <message>
        <source>Export the view %1</source>
        <translation>Ansicht „%1“ exportieren</translation>
    </message>
    <message>
        <source>Vectors (*.svg)</source>
        <translation>Vektoren (*.svg)</translation>
    </message>
    <message>
        <source>Page (*.pdf)</source>
        <translation>Seite (*.pdf)</translation>
    </message>
    <message>
        <source>Pixels (*.png)</source>
        <translation>Pixel (*.png)</translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation>Tabelle exportieren …</translation>
    </message>
    <message>
        <source>Writes what the view shows as a table of CSV</source>
        <translation>Schreibt, was die Ansicht zeigt, als CSV-Tabelle</translation>
    </message>
    <message>
        <source>Export the table of the view %1</source>
        <translation>Tabelle der Ansicht „%1“ exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Copy view as picture</source>
        <translation>Ansicht als Bild kopieren</translation>
    </message>
    <message>
        <source>Puts the view that has the keyboard on the clipboard</source>
        <translation>Legt die Ansicht, die die Tastatur hat, in die Zwischenablage</translation>
    </message>
    <message>
        <source>Export plan: %1…</source>
        <translation>Plan exportieren: %1 …</translation>
    </message>
    <message>
        <source>Export the plan</source>
        <translation>Plan exportieren</translation>
    </message>
    <message>
        <source>The plan</source>
        <translation>Der Plan</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>Der Bericht</translation>
    </message>
    <message>
        <source>The view %1</source>
        <translation>Die Ansicht „%1“</translation>
    </message>
    <message>
        <source>The view %1 has no table. Choose another view with F6.</source>
        <translation>Die Ansicht „%1“ hat keine Tabelle. Wählen Sie mit F6 eine andere Ansicht.</translation>
    </message>
    <message>
        <source>The table of %1</source>
        <translation>Die Tabelle „%1“</translation>
    </message>
    <message>
        <source>%1 is in %2.</source>
        <translation>%1 ist in %2.</translation>
    </message>
    <message>
        <source>Animation of the steps…</source>
        <translation>Animation der Schritte…</translation>
    </message>
    <message>
        <source>Writes the plan, step by step, as a looping animated PNG, which every browser plays</source>
        <translation>Schreibt den Plan Schritt für Schritt als animiertes PNG in Schleife, das jeder Browser abspielt</translation>
    </message>
    <message>
        <source>Write an animation</source>
        <translation>Eine Animation schreiben</translation>
    </message>
    <message>
        <source>Animated PNG (*.png)</source>
        <translation>Animiertes PNG (*.png)</translation>
    </message>
    <message>
        <source>There is no plan yet. Solve first.</source>
        <translation>Es gibt noch keinen Plan. Lösen Sie zuerst.</translation>
    </message>
    <message>
        <source>The animation</source>
        <translation>Die Animation</translation>
    </message>
    <message>
        <source>Export plan as</source>
        <translation>Plan ausgeben als</translation>
    </message>
    <message>
        <source>%1 takes %2 at %3 more time, the plan itself %4 at %5. The file says what is lost and how to use it.</source>
        <translation>%1 braucht %2 bei %3 mehr Zeit, der Plan selbst %4 bei %5. Die Datei sagt, was verloren geht und wie man sie benutzt.</translation>
    </message>
    <message>
        <source>Export, script, torch.compile, training</source>
        <translation>Skript, Export, torch.compile, Training</translation>
    </message>
</context>
<context>
    <name>remat::studio::FigureTable</name>
    <message>
        <source>%1: %2 and %3, difference %4</source>
        <translation>%1: %2 und %3, Unterschied %4</translation>
    </message>
    <message>
        <source>Figures of both plans</source>
        <translation>Zahlen beider Pläne</translation>
    </message>
</context>
<context>
    <name>remat::studio::Figures</name>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Mehraufwand</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>Zeit je Schritt</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>%1, over the budget</source>
        <translation>%1, über dem Budget</translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation>Schranke %1</translation>
    </message>
    <message>
        <source>How much longer a training step takes than with everything kept, which takes %1</source>
        <translation>Um wie viel länger ein Trainingsschritt dauert, als wenn alles behalten wird; das dauert %1</translation>
    </message>
    <message>
        <source>One training step, forward and backward, by the costs of %1</source>
        <translation>Ein Trainingsschritt, vorwärts und rückwärts, mit den Kosten von %1</translation>
    </message>
    <message>
        <source>%1 of %2 ops</source>
        <translation>%1 von %2 Ops</translation>
    </message>
    <message>
        <source>Ops that are computed more than once</source>
        <translation>Ops, die mehr als einmal berechnet werden</translation>
    </message>
    <message>
        <source>How fast a plan can be at best is not known here: press Solve to compute it.</source>
        <translation>Wie schnell ein Plan bestenfalls sein kann, ist hier nicht bekannt: Lösen berechnet es.</translation>
    </message>
    <message>
        <source>no plan is faster</source>
        <translation>kein Plan ist schneller</translation>
    </message>
    <message>
        <source>Proven: no plan is faster.</source>
        <translation>Bewiesen: Kein Plan ist schneller.</translation>
    </message>
    <message>
        <source>Proven: within %1 no plan is faster that computes the ops for the first time in the model&apos;s order.</source>
        <translation>Bewiesen: Innerhalb von %1 ist kein Plan schneller, der die Ops zum ersten Mal in der Reihenfolge des Modells berechnet.</translation>
    </message>
    <message>
        <source>Proven: within %1 no plan is faster that computes the ops for the first time in this plan&apos;s order.</source>
        <translation>Bewiesen: Innerhalb von %1 ist kein Plan schneller, der die Ops zum ersten Mal in der Reihenfolge dieses Plans berechnet.</translation>
    </message>
    <message>
        <source>Found by %1.</source>
        <translation>Gefunden mit %1.</translation>
    </message>
    <message>
        <source>Click to see the op at which memory is tightest.</source>
        <translation>Klicken zeigt die Op, bei der der Speicher am engsten ist.</translation>
    </message>
    <message>
        <source>Weights + states</source>
        <translation>Gewichte + Zustände</translation>
    </message>
    <message>
        <source>What the optimizer trains, and what it keeps of each: in the peak, as far as they are on the device</source>
        <translation>Was der Optimierer trainiert, und was er zu jedem behält: in der Spitze, soweit sie auf dem Gerät sind</translation>
    </message>
    <message>
        <source>What the optimizer trains, and what it keeps of each: in no peak. The planners&apos; option for parameters lets them leave the device.</source>
        <translation>Was der Optimierer trainiert, und was er zu jedem behält: in keiner Spitze. Mit der Option der Planer für Parameter dürfen sie das Gerät verlassen.</translation>
    </message>
    <message>
        <source>planned</source>
        <translation>geplant</translation>
    </message>
    <message>
        <source>resident</source>
        <translation>immer da</translation>
    </message>
    <message>
        <source>Proven: within %1 no plan without offloads is faster, in whatever order it computes the ops.</source>
        <translation>Bewiesen: Innerhalb von %1 ist kein Plan ohne Auslagern schneller, in welcher Reihenfolge er die Ops auch berechnet.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>not solved</source>
        <translation>nicht gelöst</translation>
    </message>
    <message>
        <source>Bound, any order</source>
        <translation>Schranke, jede Ordnung</translation>
    </message>
    <message>
        <source>set at %1</source>
        <translation>bei %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::FilterCompleter</name>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
</context>
<context>
    <name>remat::studio::FindBar</name>
    <message>
        <source>Find ops</source>
        <translation>Ops finden</translation>
    </message>
    <message>
        <source>Find ops: a name, or kind:addmm module:h.11 size&gt;10MiB recomputed</source>
        <translation>Ops finden: ein Name, oder kind:addmm module:h.11 size&gt;10MiB recomputed</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>Voriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <source>Lists all matches</source>
        <translation>Listet alle Treffer auf</translation>
    </message>
    <message>
        <source>Close and forget the search (Esc)</source>
        <translation>Suche schließen und vergessen (Esc)</translation>
    </message>
    <message>
        <source>No op</source>
        <translation>Keine Op</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>1 op</source>
        <translation>1 Op</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 Ops</translation>
    </message>
</context>
<context>
    <name>remat::studio::FitsModel</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Left for the step</source>
        <translation>Für den Schritt</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Mehraufwand</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>Warum nicht</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft …</translation>
    </message>
    <message>
        <source>Fits as it is</source>
        <translation>Passt, wie es ist</translation>
    </message>
    <message>
        <source>Fits with a plan</source>
        <translation>Passt mit einem Plan</translation>
    </message>
    <message>
        <source>No plan found</source>
        <translation>Kein Plan gefunden</translation>
    </message>
    <message>
        <source>Cannot fit</source>
        <translation>Kann nicht passen</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>Größter Batch</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>%1, %2 with a plan</source>
        <translation>%1, mit Plan %2</translation>
    </message>
    <message>
        <source>%1 with a plan</source>
        <translation>%1 mit Plan</translation>
    </message>
    <message>
        <source>Double-click takes this card: its budget, its costs, and a plan follows</source>
        <translation>Ein Doppelklick nimmt diese Karte: ihr Budget, ihre Kosten, und ein Plan folgt</translation>
    </message>
</context>
<context>
    <name>remat::studio::FitsView</name>
    <message>
        <source>Devices that training fits on</source>
        <translation>Geräte, auf die das Training passt</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>What it keeps of each parameter, and makes in its update, counts as memory</source>
        <translation>Was er je Parameter behält und bei der Aktualisierung anlegt, zählt als Speicher</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>%1 when everything is kept: parameters and inputs %2, states %3, the step %4, or the update %5. %6 of each device stay free.</source>
        <translation>%1, wenn alles behalten wird: Parameter und Eingaben %2, Zustände %3, der Schritt %4 oder die Aktualisierung %5. %6 jedes Geräts bleiben frei.</translation>
    </message>
    <message>
        <source>Another batch…</source>
        <translation>Anderer Batch …</translation>
    </message>
    <message>
        <source>Opens a trace of the same step with another batch. Without one, remat_studio.largest_batch traces and asks by itself</source>
        <translation>Öffnet eine Aufzeichnung desselben Schritts mit anderem Batch. Ohne eine solche zeichnet remat_studio.largest_batch selbst auf und fragt</translation>
    </message>
    <message>
        <source>A second trace of the same step, with another batch, tells the largest batch that fits.</source>
        <translation>Eine zweite Aufzeichnung desselben Schritts mit anderem Batch sagt, welcher größte Batch passt.</translation>
    </message>
    <message>
        <source>Largest batches are worked out from traces with %1 and %2 samples; workspaces stay as they are.</source>
        <translation>Größte Batches sind aus Aufzeichnungen mit %1 und %2 Beispielen berechnet; Hilfsspeicher bleibt, wie er ist.</translation>
    </message>
</context>
<context>
    <name>remat::studio::FloatingTitle</name>
    <message>
        <source>Put back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Puts the panel back into the window</source>
        <translation>Setzt die Leiste zurück in das Fenster</translation>
    </message>
</context>
<context>
    <name>remat::studio::Glossary</name>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Words, and where a lesson shows what they mean</source>
        <translation>Wörter, und wo eine Lektion zeigt, was sie bedeuten</translation>
    </message>
    <message>
        <source>Search words and sentences</source>
        <translation>Wörter und Sätze suchen</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphCanvas</name>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Shows plain order instead of waiting for the layout</source>
        <translation>Zeigt die einfache Reihenfolge, statt auf das Layout zu warten</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Shows the branches of this cluster below each other (Shift+B)</source>
        <translation>Zeigt die Zweige dieses Clusters untereinander (Umschalt+B)</translation>
    </message>
    <message>
        <source>Shows the branches of this cluster side by side (Shift+B)</source>
        <translation>Zeigt die Zweige dieses Clusters nebeneinander (Umschalt+B)</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>made</source>
        <translation>erzeugt</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphCommands</name>
    <message>
        <source>Open all clusters</source>
        <translation>Alle Cluster öffnen</translation>
    </message>
    <message>
        <source>Shows every op of the graph</source>
        <translation>Zeigt jede Op des Graphen</translation>
    </message>
    <message>
        <source>Close all clusters</source>
        <translation>Alle Cluster schließen</translation>
    </message>
    <message>
        <source>Shows the outermost clusters only</source>
        <translation>Zeigt nur die äußersten Cluster</translation>
    </message>
    <message>
        <source>To what makes its input</source>
        <translation>Zu dem, was die Eingabe erzeugt</translation>
    </message>
    <message>
        <source>Selects the op that made what the selected op reads</source>
        <translation>Wählt die Op aus, die erzeugt hat, was die ausgewählte liest</translation>
    </message>
    <message>
        <source>To what reads its output</source>
        <translation>Zu dem, was die Ausgabe liest</translation>
    </message>
    <message>
        <source>Selects the op that reads what the selected op makes</source>
        <translation>Wählt die Op aus, die liest, was die ausgewählte erzeugt</translation>
    </message>
    <message>
        <source>Next colours</source>
        <translation>Nächste Farben</translation>
    </message>
    <message>
        <source>Colours cards by state, bytes, time, time error, recomputes, lifetime or idle time</source>
        <translation>Färbt Karten nach Zustand, Bytes, Zeit, Zeitfehler, Neuberechnungen, Lebensdauer oder Liegezeit</translation>
    </message>
    <message>
        <source>Details of the selection</source>
        <translation>Einzelheiten der Auswahl</translation>
    </message>
    <message>
        <source>Shows figures and source line of the selected op</source>
        <translation>Zeigt Zahlen und Quellzeile der ausgewählten Op</translation>
    </message>
    <message>
        <source>Wheel zooms</source>
        <translation>Mausrad zoomt</translation>
    </message>
    <message>
        <source>The wheel zooms the graph and scrolls it with Ctrl, instead of the other way round</source>
        <translation>Das Mausrad zoomt den Graphen und blättert mit Strg, statt umgekehrt</translation>
    </message>
    <message>
        <source>Branches of this cluster the other way</source>
        <translation>Zweige dieses Clusters andersherum</translation>
    </message>
    <message>
        <source>Shows the branches of the selected cluster side by side, or below each other</source>
        <translation>Zeigt die Zweige des ausgewählten Clusters nebeneinander oder untereinander</translation>
    </message>
    <message>
        <source>Branches side by side</source>
        <translation>Zweige nebeneinander</translation>
    </message>
    <message>
        <source>Shows branches of a cluster beside each other, as Graphviz places them, or below each other</source>
        <translation>Zeigt Zweige eines Clusters nebeneinander, wie Graphviz sie setzt, oder untereinander</translation>
    </message>
    <message>
        <source>Branches below each other</source>
        <translation>Zweige untereinander</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphMinimap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>Übersicht des Graphen</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphRail</name>
    <message>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <source>Times are predicted. Run ▸ Measure costs shows how far off they are.</source>
        <translation>Die Zeiten sind vorhergesagt. Ausführen ▸ Kosten messen zeigt, wie weit sie danebenliegen.</translation>
    </message>
    <message>
        <source>Held at cursor</source>
        <translation>Am Cursor belegt</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphTable</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Recomputed ops</source>
        <translation>Neu berechnete Ops</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
</context>
<context>
    <name>remat::studio::GraphView</name>
    <message>
        <source>Open a model…</source>
        <translation>Modell öffnen …</translation>
    </message>
    <message>
        <source>Another block than %1</source>
        <translation>Anderer Block als %1</translation>
    </message>
    <message>
        <source>Colour by %1</source>
        <translation>Farbe nach %1</translation>
    </message>
    <message>
        <source>%1 The graph shows plain order instead.</source>
        <translation>%1 Der Graph zeigt stattdessen die einfache Reihenfolge.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Branches of %1</source>
        <translation>Zweige von %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::Help</name>
    <message>
        <source>Where things are</source>
        <translation>Wo was ist</translation>
    </message>
    <message>
        <source>Lists what the program does, and goes there</source>
        <translation>Zählt auf, was das Programm kann, und führt dorthin</translation>
    </message>
</context>
<context>
    <name>remat::studio::HelpWindow</name>
    <message>
        <source>Where things are</source>
        <translation>Wo was ist</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Die Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
</context>
<context>
    <name>remat::studio::HistoryFeature</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Takes back the last change</source>
        <translation>Nimmt die letzte Änderung zurück</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Makes the change again</source>
        <translation>Macht die Änderung wieder</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Lists what was done, to go to any point of it</source>
        <translation>Listet auf, was getan wurde, um an jede Stelle davon zu gehen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Shows what was looked at before; budget and plans stay</source>
        <translation>Zeigt, was zuvor zu sehen war; Budget und Pläne bleiben</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Shows what was looked at afterwards</source>
        <translation>Zeigt, was danach zu sehen war</translation>
    </message>
    <message>
        <source>Undo: %1</source>
        <translation>Rückgängig: %1</translation>
    </message>
    <message>
        <source>Nothing to undo</source>
        <translation>Nichts rückgängig zu machen</translation>
    </message>
    <message>
        <source>Redo: %1</source>
        <translation>Wiederholen: %1</translation>
    </message>
    <message>
        <source>Nothing to redo</source>
        <translation>Nichts zu wiederholen</translation>
    </message>
</context>
<context>
    <name>remat::studio::HistoryPopup</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>What was done, oldest first</source>
        <translation>Was getan wurde, das Älteste zuerst</translation>
    </message>
    <message>
        <source>As it was opened</source>
        <translation>Wie beim Öffnen</translation>
    </message>
</context>
<context>
    <name>remat::studio::HoldersModel</name>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Next read by</source>
        <translation>Als Nächstes gelesen von</translation>
    </message>
    <message>
        <source>%1, next read by %2</source>
        <translation>%1, als Nächstes gelesen von %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::IcicleCanvas</name>
    <message>
        <source>Bytes by module</source>
        <translation>Bytes je Modul</translation>
    </message>
    <message>
        <source>Held at the peak, by module</source>
        <translation>An der Spitze gehalten, je Modul</translation>
    </message>
    <message>
        <source>Held at the cursor, by module</source>
        <translation>Am Cursor gehalten, je Modul</translation>
    </message>
</context>
<context>
    <name>remat::studio::IconRail</name>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Zerlegung</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
</context>
<context>
    <name>remat::studio::JobsModel</name>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Best plan</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>Schr.</translation>
    </message>
    <message>
        <source>Gap</source>
        <translation>Lücke</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Hält an</translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation>Beweisbar optimal</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>No plan fits</source>
        <translation>Kein Plan passt</translation>
    </message>
    <message>
        <source>Not solved</source>
        <translation>Nicht gelöst</translation>
    </message>
    <message>
        <source>– of %1</source>
        <translation>– / %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Added time of the best plan so far</source>
        <translation>Zusätzliche Zeit des bisher besten Plans</translation>
    </message>
    <message>
        <source>Proven: no plan in this order of ops adds less time</source>
        <translation>Bewiesen: Kein Plan mit dieser Reihenfolge der Ops fügt weniger Zeit hinzu</translation>
    </message>
    <message>
        <source>Time was up</source>
        <translation>Zeit war um</translation>
    </message>
</context>
<context>
    <name>remat::studio::JobsView</name>
    <message>
        <source>No solves yet. Press Solve.</source>
        <translation>Noch keine Lösungsläufe. Drücken Sie „Lösen“.</translation>
    </message>
    <message>
        <source>Solves</source>
        <translation>Lösungsläufe</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Ends the chosen solve; the best plan found so far stays</source>
        <translation>Beendet den gewählten Lauf; der bisher beste Plan bleibt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Takes the chosen solve out of the list; its plan stays</source>
        <translation>Nimmt den gewählten Lauf aus der Liste; sein Plan bleibt</translation>
    </message>
    <message>
        <source>Starts the chosen solve earlier</source>
        <translation>Beginnt den gewählten Lauf früher</translation>
    </message>
    <message>
        <source>Starts the chosen solve later</source>
        <translation>Beginnt den gewählten Lauf später</translation>
    </message>
    <message>
        <source>Remove ended</source>
        <translation>Beendete entfernen</translation>
    </message>
    <message>
        <source>Leaves only what waits and runs</source>
        <translation>Lässt nur stehen, was wartet und läuft</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>Zugleich</translation>
    </message>
    <message>
        <source>Solves at once</source>
        <translation>Läufe zugleich</translation>
    </message>
    <message>
        <source>How many solves run at the same time; they share the threads</source>
        <translation>Wie viele Läufe gleichzeitig rechnen; sie teilen sich die Threads</translation>
    </message>
</context>
<context>
    <name>remat::studio::KeysWindow</name>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Keys and commands</source>
        <translation>Tasten und Befehle</translation>
    </message>
    <message>
        <source>Search keys and commands</source>
        <translation>Tasten und Befehle durchsuchen</translation>
    </message>
    <message>
        <source>Search, by name or by key</source>
        <translation>Suchen, nach Name oder Taste</translation>
    </message>
    <message>
        <source>Open a recent file</source>
        <translation>Zuletzt geöffnete Datei öffnen</translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+9</source>
        <translation>Strg+1 bis Strg+9</translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesCanvas</name>
    <message>
        <source>Lanes over time</source>
        <translation>Spuren über der Zeit</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
    <message>
        <source>%1 busy for %2</source>
        <translation>%1: %2 lang beschäftigt</translation>
    </message>
    <message>
        <source>. Left and Right step, Enter selects, W and S zoom, A and D pan.</source>
        <translation>. Links und Rechts gehen schrittweise, die Eingabetaste wählt aus, W und S zoomen, A und D verschieben.</translation>
    </message>
    <message>
        <source>busy · sets the pace</source>
        <translation>aktiv · taktgebend</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message numerus="yes">
        <source>%n module(s). Zoom in to see them.</source>
        <translation>
            <numerusform>%n Modul. Vergrößern zeigt es.</numerusform>
            <numerusform>%n Module. Vergrößern zeigt sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n copies. Zoom in to see them.</source>
        <translation>
            <numerusform>%n Kopie. Vergrößern zeigt sie.</numerusform>
            <numerusform>%n Kopien. Vergrößern zeigt sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n op(s). Zoom in to see them.</source>
        <translation>
            <numerusform>%n Op. Vergrößern zeigt sie.</numerusform>
            <numerusform>%n Ops. Vergrößern zeigt sie.</numerusform>
        </translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicherbereich</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Compute waits %1.</source>
        <translation>Rechnen wartet %1.</translation>
    </message>
    <message>
        <source>Compute waits %1 for the copy of %2.</source>
        <translation>Rechnen wartet %1 auf die Kopie von %2.</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesTable</name>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Op or storage</source>
        <translation>Op oder Speicherbereich</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Wartezeit</translation>
    </message>
</context>
<context>
    <name>remat::studio::LanesView</name>
    <message>
        <source>Open a model to see what is computed when.</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, was wann berechnet wird.</translation>
    </message>
    <message>
        <source>%1 recomputing</source>
        <translation>%1 Neuberechnung</translation>
    </message>
    <message>
        <source>compute waits %1 for copies</source>
        <translation>Rechnen wartet %1 auf Kopien</translation>
    </message>
    <message>
        <source>%1 sets the pace for %2</source>
        <translation>Takt: %1, %2</translation>
    </message>
    <message>
        <source>measured %1, %2 longer</source>
        <translation>gemessen %1, %2 länger</translation>
    </message>
    <message>
        <source>measured %1, %2 shorter</source>
        <translation>gemessen %1, %2 kürzer</translation>
    </message>
    <message>
        <source>measured %1, %2 times as long</source>
        <translation>gemessen %1, %2-mal so lang</translation>
    </message>
    <message>
        <source>bars below the rows: measured, drawn to the plan&apos;s length</source>
        <translation>Balken unter den Zeilen: gemessen, auf die Länge des Plans gezeichnet</translation>
    </message>
</context>
<context>
    <name>remat::studio::LayoutClient</name>
    <message>
        <source>Graphviz took longer than %1 s for one cluster.</source>
        <translation>Graphviz brauchte für einen Cluster länger als %1 s.</translation>
    </message>
    <message>
        <source>The layout program %1 does not start (%2). Build or install it again.</source>
        <translation>Das Layoutprogramm %1 startet nicht (%2). Bauen oder installieren Sie es neu.</translation>
    </message>
    <message>
        <source>The layout program crashed on one cluster.</source>
        <translation>Das Layoutprogramm ist an einem Cluster abgestürzt.</translation>
    </message>
    <message>
        <source>The layout program ended before it answered.</source>
        <translation>Das Layoutprogramm endete, bevor es antwortete.</translation>
    </message>
    <message>
        <source>The layout program&apos;s answer was too large.</source>
        <translation>Die Antwort des Layoutprogramms war zu groß.</translation>
    </message>
</context>
<context>
    <name>remat::studio::LeftPanel</name>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Zerlegung</translation>
    </message>
    <message>
        <source>Modules as the model&apos;s author wrote them, or the blocks that are planned one by one</source>
        <translation>Module, wie sie geschrieben wurden, oder die Blöcke, die einzeln geplant werden</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Grey plans need more than the budget of %1.</source>
        <translation>Graue Pläne brauchen mehr als das Budget von %1.</translation>
    </message>
</context>
<context>
    <name>remat::studio::LessonList</name>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Learn rematerialization</source>
        <translation>Rematerialisierung lernen</translation>
    </message>
    <message>
        <source>Each lesson runs in this window, on real graphs and real planners. It asks what you expect before it shows what is so.</source>
        <translation>Jede Lektion läuft in diesem Fenster, mit echten Graphen und echten Planern. Sie fragt, was Sie erwarten, bevor sie zeigt, was ist.</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Walked to its end. %1</source>
        <translation>Zu Ende gegangen. %1</translation>
    </message>
    <message>
        <source>%1 minutes. %2</source>
        <translation>%1 Minuten. %2</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Save progress…</source>
        <translation>Fortschritt speichern…</translation>
    </message>
    <message>
        <source>For lecturers</source>
        <translation>Für Lehrende</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>Rätsel</translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation>Wie Planer denken</translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR at work, frame by frame</source>
        <translation>Rotor, Checkmate, die Suche und DTR bei der Arbeit, Bild für Bild</translation>
    </message>
</context>
<context>
    <name>remat::studio::LessonPanel</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>Alle Lektionen</translation>
    </message>
    <message>
        <source>Ends the lesson; it goes on from here the next time</source>
        <translation>Beendet die Lektion; beim nächsten Mal geht sie hier weiter</translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation>Lektion beenden</translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <translation>Lektion: %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>What do you expect?</source>
        <translation>Was erwarten Sie?</translation>
    </message>
    <message>
        <source>Do you remember?</source>
        <translation>Wissen Sie es noch?</translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation>Jetzt Sie</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Yes.</source>
        <translation>Ja.</translation>
    </message>
    <message>
        <source>Not quite.</source>
        <translation>Nicht ganz.</translation>
    </message>
    <message>
        <source>Not that one. Look again, and try another.</source>
        <translation>Die nicht. Sehen Sie noch einmal hin und versuchen Sie eine andere.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Another hint</source>
        <translation>Noch ein Hinweis</translation>
    </message>
    <message>
        <source>Once more, from “%1”</source>
        <translation>Noch einmal, aus „%1“</translation>
    </message>
    <message>
        <source>What has stayed? Question %1</source>
        <translation>Was ist geblieben? Frage %1</translation>
    </message>
    <message>
        <source>What is right?</source>
        <translation>Was stimmt?</translation>
    </message>
</context>
<context>
    <name>remat::studio::Lessons</name>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Lessons…</source>
        <translation>Lektionen…</translation>
    </message>
    <message>
        <source>Learn rematerialization by doing it, step by step</source>
        <translation>Rematerialisierung Schritt für Schritt lernen, durch Tun</translation>
    </message>
    <message>
        <source>Next step of the lesson</source>
        <translation>Nächster Schritt der Lektion</translation>
    </message>
    <message>
        <source>Goes on; after the last step the lesson ends</source>
        <translation>Geht weiter; nach dem letzten Schritt endet die Lektion</translation>
    </message>
    <message>
        <source>Step of the lesson before</source>
        <translation>Voriger Schritt der Lektion</translation>
    </message>
    <message>
        <source>Goes back, with the state that the step had</source>
        <translation>Geht zurück, mit dem Zustand, den der Schritt hatte</translation>
    </message>
    <message>
        <source>Hint of the lesson</source>
        <translation>Hinweis der Lektion</translation>
    </message>
    <message>
        <source>Each hint is more concrete than the one before</source>
        <translation>Jeder Hinweis ist konkreter als der davor</translation>
    </message>
    <message>
        <source>Keyboard to the lesson</source>
        <translation>Tastatur zur Lektion</translation>
    </message>
    <message>
        <source>Then the keys 1 to 6 choose an answer</source>
        <translation>Dann wählen die Tasten 1 bis 6 eine Antwort</translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation>Lektion beenden</translation>
    </message>
    <message>
        <source>It goes on from here the next time</source>
        <translation>Beim nächsten Mal geht sie hier weiter</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Words in a sentence each, and the lesson&apos;s step that shows them</source>
        <translation>Wörter in je einem Satz, und der Schritt einer Lektion, der sie zeigt</translation>
    </message>
    <message>
        <source>Save the progress in lessons</source>
        <translation>Fortschritt in den Lektionen speichern</translation>
    </message>
    <message>
        <source>Progress (*.json)</source>
        <translation>Fortschritt (*.json)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>The progress is in %1.</source>
        <translation>Der Fortschritt ist in %1.</translation>
    </message>
    <message>
        <source>For lecturers</source>
        <translation>Für Lehrende</translation>
    </message>
    <message>
        <source>A class of 45 and one of 90 minutes: what to click, what students will ask</source>
        <translation>Eine Stunde von 45 und eine von 90 Minuten: was man anklickt, was Studierende fragen</translation>
    </message>
</context>
<context>
    <name>remat::studio::LetterChip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 is %2. Click to choose another plan, or drop one here.</source>
        <translation>%1 ist %2. Klicken wählt einen anderen Plan; einen Plan hier ablegen geht auch.</translation>
    </message>
</context>
<context>
    <name>remat::studio::MainWindow</name>
    <message>
        <source>Remat Studio</source>
        <translation>Remat Studio</translation>
    </message>
    <message>
        <source>%1 – Remat Studio</source>
        <translation>%1 – Remat Studio</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Plan speichern</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>Pläne (*.json)</translation>
    </message>
    <message>
        <source>Open a profile</source>
        <translation>Profil öffnen</translation>
    </message>
    <message>
        <source>Profiles (*.json)</source>
        <translation>Profile (*.json)</translation>
    </message>
    <message>
        <source>Choose the model of these plans</source>
        <translation>Modell dieser Pläne wählen</translation>
    </message>
    <message>
        <source>Training graphs (*.pt2 *.json)</source>
        <translation>Trainingsgraphen (*.pt2 *.json)</translation>
    </message>
    <message>
        <source>The plan is in %1.</source>
        <translation>Der Plan ist in %1.</translation>
    </message>
    <message>
        <source>%1 holds the times of a model&apos;s ops. Open that model first, and then this file.</source>
        <translation>%1 enthält die Zeiten der Ops eines Modells. Öffnen Sie zuerst dieses Modell, dann diese Datei.</translation>
    </message>
    <message>
        <source>Open a model, a plan, costs, a certificate, a session or a lesson</source>
        <translation>Modell, Plan, Kosten, Zertifikat, Sitzung oder Lektion öffnen</translation>
    </message>
    <message>
        <source>Training graphs, plans, costs, certificates and sessions (*.pt2 *.json *.remat *.rematsession)</source>
        <translation>Trainingsgraphen, Pläne, Kosten, Zertifikate und Sitzungen (*.pt2 *.json *.remat *.rematsession)</translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixCanvas</name>
    <message>
        <source>Matrix of what is computed and kept from op to op</source>
        <translation>Matrix dessen, was von Op zu Op berechnet und behalten wird</translation>
    </message>
    <message>
        <source>Slot</source>
        <translation>Slot</translation>
    </message>
    <message>
        <source>Forward op</source>
        <translation>Vorwärts-Op</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>computed again</source>
        <translation>neu berechnet</translation>
    </message>
    <message>
        <source>computed first</source>
        <translation>zuerst berechnet</translation>
    </message>
    <message>
        <source>kept from the slot before</source>
        <translation>aus dem vorigen Slot behalten</translation>
    </message>
    <message>
        <source>not in memory before this slot</source>
        <translation>vor diesem Slot nicht im Speicher</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>Berechnet</translation>
    </message>
    <message>
        <source>Computed again</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Slot %1</source>
        <translation>Slot %1</translation>
    </message>
    <message>
        <source>Op %1</source>
        <translation>Op %1</translation>
    </message>
    <message>
        <source>Slot %1: %2</source>
        <translation>Slot %1: %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixTable</name>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>From slot</source>
        <translation>Von Slot</translation>
    </message>
    <message>
        <source>To slot</source>
        <translation>Bis Slot</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>computed again</source>
        <translation>neu berechnet</translation>
    </message>
</context>
<context>
    <name>remat::studio::MatrixView</name>
    <message>
        <source>Open a model to see what is computed and what is kept from one op of the training step to the next.</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, was von einer Op des Trainingsschritts zur nächsten berechnet und was behalten wird.</translation>
    </message>
    <message>
        <source>All ops</source>
        <translation>Alle Ops</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Which ops are columns</source>
        <translation>Welche Ops die Spalten sind</translation>
    </message>
    <message>
        <source>%1 slots, %2 ops · %3 computed again</source>
        <translation>%1 Slots, %2 Ops · %3 neu berechnet</translation>
    </message>
</context>
<context>
    <name>remat::studio::Measuring</name>
    <message>
        <source>Measure by dragging</source>
        <translation>Durch Ziehen messen</translation>
    </message>
    <message>
        <source>A drag over a plot chooses a range, whose figures are shown</source>
        <translation>Ziehen über ein Diagramm wählt einen Bereich, dessen Zahlen gezeigt werden</translation>
    </message>
    <message>
        <source>Range of the selection</source>
        <translation>Bereich der Auswahl</translation>
    </message>
    <message>
        <source>The range becomes the life of the selected storage, or the run of the op</source>
        <translation>Der Bereich wird die Lebensdauer des ausgewählten Speicherbereichs oder der Lauf der Op</translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryCanvas</name>
    <message>
        <source>Memory over time</source>
        <translation>Speicher über der Zeit</translation>
    </message>
    <message>
        <source>Alive at the peak, step %1</source>
        <translation>An der Spitze am Leben, Schritt %1</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Kein Modell ist offen.</translation>
    </message>
    <message>
        <source>Peak %1 at step %2. Budget %3, %4 of keep-all. Up and Down move the budget by 1 %, with Shift by 0.1 %; Home sets the smallest, End 100 %. Left and Right step.</source>
        <translation>Spitze %1 bei Schritt %2. Budget %3, %4 von Keep-all. Auf und Ab ändern das Budget um 1 %, mit Umschalt um 0.1 %; Pos1 stellt das kleinste ein, Ende 100 %. Links und Rechts gehen schrittweise.</translation>
    </message>
    <message>
        <source>%1. Drag it, or use Up and Down.</source>
        <translation>%1. Zum Ändern ziehen, oder Auf und Ab drücken.</translation>
    </message>
    <message>
        <source>What makes the peak (P)</source>
        <translation>Woraus die Spitze besteht (P)</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>Berechnet</translation>
    </message>
    <message>
        <source>again</source>
        <translation>erneut</translation>
    </message>
    <message>
        <source>%1 storages without a band of their own</source>
        <translation>%1 Speicherbereiche ohne eigenes Band</translation>
    </message>
    <message>
        <source>while %1 runs, step %2</source>
        <translation>während %1 läuft, Schritt %2</translation>
    </message>
    <message>
        <source>%1 more storages. A click lists them.</source>
        <translation>%1 weitere Speicherbereiche. Ein Klick listet sie auf.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryHeader</name>
    <message>
        <source>Param. grads</source>
        <translation>Param.-Grad.</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Hilfsspeicher</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>More for this view</source>
        <translation>Mehr zu dieser Ansicht</translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation>Was die waagerechte Achse zählt</translation>
    </message>
    <message>
        <source>What the bands are (G)</source>
        <translation>Was die Bänder sind (G)</translation>
    </message>
    <message>
        <source>What the bands are</source>
        <translation>Was die Bänder sind</translation>
    </message>
    <message>
        <source>How many storages have a band</source>
        <translation>Wie viele Speicherbereiche ein Band haben</translation>
    </message>
    <message>
        <source>The %1 storages that hold the most memory for the longest time have a band each</source>
        <translation>Die %1 Speicherbereiche, die am längsten den meisten Speicher belegen, haben je ein Band</translation>
    </message>
    <message>
        <source>Keep-all</source>
        <translation>Keep-all</translation>
    </message>
    <message>
        <source>over %1</source>
        <translation>%1 darüber</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>States</source>
        <translation>Zustände</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>%1 frei</translation>
    </message>
</context>
<context>
    <name>remat::studio::MemoryView</name>
    <message>
        <source>Show all	F</source>
        <translation>Alles zeigen	F</translation>
    </message>
    <message>
        <source>What makes the peak	P</source>
        <translation>Woraus die Spitze besteht	P</translation>
    </message>
    <message>
        <source>Everything alive at the peak	Shift+P</source>
        <translation>Alles, was an der Spitze lebt	Umschalt+P</translation>
    </message>
    <message>
        <source>Bands of single storages	G</source>
        <translation>Bänder einzelner Speicherbereiche	G</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>Als Bild kopieren</translation>
    </message>
    <message>
        <source>Open a model to see its memory over time.</source>
        <translation>Öffnen Sie ein Modell, um seinen Speicher über der Zeit zu sehen.</translation>
    </message>
    <message>
        <source>No plan fits %1: op %2 alone needs %3.</source>
        <translation>Kein Plan passt in %1: Die Op %2 allein braucht %3.</translation>
    </message>
    <message>
        <source>No plan fits %1: the results alone need %2.</source>
        <translation>Kein Plan passt in %1: Die Ergebnisse allein brauchen %2.</translation>
    </message>
    <message>
        <source>Set the smallest budget</source>
        <translation>Kleinstes Budget einstellen</translation>
    </message>
</context>
<context>
    <name>remat::studio::MessageStrip</name>
    <message>
        <source>Close the message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>remat::studio::ModelLoader</name>
    <message>
        <source>A device is left out of the list. %1</source>
        <translation>Ein Gerät fehlt in der Liste. %1</translation>
    </message>
    <message>
        <source>There are no device files. Install the program&apos;s resources again.</source>
        <translation>Es gibt keine Gerätedateien. Installieren Sie die Ressourcen des Programms neu.</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>Öffnet %1</translation>
    </message>
    <message>
        <source>Estimating the times of %1</source>
        <translation>Schätzt die Zeiten von %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Liest %1</translation>
    </message>
    <message>
        <source>Loading LibTorch</source>
        <translation>Lädt LibTorch</translation>
    </message>
    <message>
        <source>Measured on %1</source>
        <translation>Auf %1 gemessen</translation>
    </message>
    <message>
        <source> + %1 on the host</source>
        <translation> + %1 auf dem Host</translation>
    </message>
</context>
<context>
    <name>remat::studio::ModelPages</name>
    <message>
        <source>%1 keeps the times it had: another model was shown before the new ones were there. Show it and choose them again.</source>
        <translation>%1 behält seine Zeiten: Ein anderes Modell wurde gezeigt, bevor die neuen da waren. Zeigen Sie es und wählen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>Choose the model…</source>
        <translation>Modell wählen …</translation>
    </message>
</context>
<context>
    <name>remat::studio::MoreMemory</name>
    <message>
        <source>What more memory buys</source>
        <translation>Was mehr Speicher bringt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>fits on %1</source>
        <translation>passt auf %1</translation>
    </message>
    <message>
        <source>does not fit on %1</source>
        <translation>passt nicht auf %1</translation>
    </message>
    <message>
        <source>What one more GiB buys</source>
        <translation>Was ein GiB mehr bringt</translation>
    </message>
    <message>
        <source>What %1 more buys</source>
        <translation>Was %1 mehr bringen</translation>
    </message>
    <message>
        <source>%1, %2, fits on</source>
        <translation>%1, %2, passt auf</translation>
    </message>
    <message>
        <source>Fits on</source>
        <translation>Passt auf</translation>
    </message>
    <message>
        <source>The best plan found within each so far, quick plans included. A sweep finds better ones.</source>
        <translation>Der beste bisher gefundene Plan für jedes Budget, auch Schnellpläne. Ein Sweep findet bessere.</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Best plan</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>What is left for the step beside parameters, states of the optimizer and a reserve of %1, and the best overhead found in it.</source>
        <translation>Was für den Schritt neben Parametern, Zuständen des Optimierers und einer Reserve von %1 bleibt, und der beste Mehraufwand darin.</translation>
    </message>
</context>
<context>
    <name>remat::studio::OpenLayouts</name>
    <message>
        <source>Laying out %1, %2 of %3 clusters</source>
        <translation>Legt %1 aus, %2 von %3 Clustern</translation>
    </message>
</context>
<context>
    <name>remat::studio::OptionsForm</name>
    <message>
        <source>Advanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>%1 options</source>
        <translation>%1 Optionen</translation>
    </message>
    <message>
        <source>Options that rarely need a change</source>
        <translation>Optionen, die selten geändert werden müssen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>A whole number, %1</source>
        <translation>Eine ganze Zahl, %1</translation>
    </message>
    <message>
        <source>A number, %1</source>
        <translation>Eine Zahl, %1</translation>
    </message>
    <message>
        <source>1 option</source>
        <translation>1 Option</translation>
    </message>
</context>
<context>
    <name>remat::studio::OwnCheckpointsNotice</name>
    <message>
        <source>The model checkpoints its activations itself: today a step holds %1 and takes %2 longer than with everything kept.</source>
        <translation>Das Modell setzt selbst Checkpoints: Heute hält ein Schritt %1 und dauert %2 länger, als wenn alles behalten würde.</translation>
    </message>
    <message>
        <source>Show as a plan</source>
        <translation>Als Plan zeigen</translation>
    </message>
</context>
<context>
    <name>remat::studio::PageTabs</name>
    <message>
        <source>1 plan</source>
        <translation>1 Plan</translation>
    </message>
    <message>
        <source>%1 plans</source>
        <translation>%1 Pläne</translation>
    </message>
    <message>
        <source>%1, solving</source>
        <translation>%1, wird gelöst</translation>
    </message>
    <message>
        <source>%1, some of them new</source>
        <translation>%1, darunter neue</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>Offene Modelle</translation>
    </message>
    <message>
        <source>Opens another model</source>
        <translation>Öffnet ein weiteres Modell</translation>
    </message>
    <message>
        <source>Open another model</source>
        <translation>Weiteres Modell öffnen</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the others</source>
        <translation>Die anderen schließen</translation>
    </message>
</context>
<context>
    <name>remat::studio::Palette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Runs any command, and goes to any op or storage</source>
        <translation>Führt jeden Befehl aus und geht zu jeder Op und jedem Speicherbereich</translation>
    </message>
    <message>
        <source>Nothing found. Begin with &gt; for commands, @ for ops, # for storages, ? for help.</source>
        <translation>Nichts gefunden. Beginnen Sie mit &gt; für Befehle, @ für Ops, # für Speicherbereiche, ? für Hilfe.</translation>
    </message>
    <message>
        <source>%1 found · Enter goes there · Ctrl+Enter finds all</source>
        <translation>%1 gefunden · Eingabe geht dorthin · Strg+Eingabe findet alle</translation>
    </message>
    <message>
        <source>%1 found    &gt; commands    @ ops    # storages    ? help</source>
        <translation>%1 gefunden    &gt; Befehle    @ Ops    # Bereiche    ? Hilfe</translation>
    </message>
</context>
<context>
    <name>remat::studio::PaletteBox</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Search ops, storages, commands</source>
        <translation>Ops, Speicherbereiche, Befehle suchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>&gt; commands    @ ops    # storages    ? help</source>
        <translation>&gt; Befehle    @ Ops    # Speicherbereiche    ? Hilfe</translation>
    </message>
</context>
<context>
    <name>remat::studio::PeakBars</name>
    <message>
        <source>Memory at the peak, by category</source>
        <translation>Speicher an der Spitze, nach Kategorie</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanCard</name>
    <message>
        <source>quick plan</source>
        <translation>Schnellplan</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>Budget %1</translation>
    </message>
    <message>
        <source>without a budget</source>
        <translation>ohne Budget</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanFiles</name>
    <message>
        <source>%1 is a plan for %2, which is not open. Choose the model that it was made for.</source>
        <translation>%1 ist ein Plan für %2; dieses Modell ist nicht geöffnet. Wählen Sie das Modell, für das er gemacht wurde.</translation>
    </message>
    <message>
        <source>%1 was not opened: another model came to be shown first. Open it again.</source>
        <translation>%1 wurde nicht geöffnet: Ein anderes Modell wurde vorher gezeigt. Öffnen Sie den Plan noch einmal.</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanPanel</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Validate</source>
        <translation>Validieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>Plan speichern …</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Train with this…</source>
        <translation>Damit trainieren …</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanRunner</name>
    <message>
        <source>Loading LibTorch</source>
        <translation>Lädt LibTorch</translation>
    </message>
    <message>
        <source>Getting LibTorch</source>
        <translation>Holt LibTorch</translation>
    </message>
    <message>
        <source>Getting LibTorch: %1</source>
        <translation>Holt LibTorch: %1</translation>
    </message>
    <message>
        <source>Get it (%1)</source>
        <translation>Holen (%1)</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlanView</name>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlannerBox</name>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>How long the planner may search. The best plan found by then is kept.</source>
        <translation>Wie lange der Planer suchen darf. Der beste bis dahin gefundene Plan bleibt.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>How many threads may work at once; as many as the processor has cores is quickest.</source>
        <translation>Wie viele Threads zugleich arbeiten dürfen; so viele, wie der Prozessor Kerne hat, sind am schnellsten.</translation>
    </message>
    <message>
        <source>Planner %1</source>
        <translation>Planer %1</translation>
    </message>
    <message>
        <source>Options of %1</source>
        <translation>Optionen von %1</translation>
    </message>
    <message>
        <source>Time limit %1</source>
        <translation>Zeitgrenze %1</translation>
    </message>
    <message>
        <source>Threads: %1</source>
        <translation>Threads: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlansModel</name>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>Mehrzeit</translation>
    </message>
    <message>
        <source>%1, a quick plan made while the budget moves. Solve finds better ones.</source>
        <translation>%1, ein Schnellplan, der dem Budget folgt. Lösen findet bessere.</translation>
    </message>
</context>
<context>
    <name>remat::studio::PlansTable</name>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Compare as %1</source>
        <translation>Als %1 vergleichen</translation>
    </message>
    <message>
        <source>Compare the selected plans	C</source>
        <translation>Ausgewählte Pläne vergleichen	C</translation>
    </message>
    <message>
        <source>Take out of the comparison</source>
        <translation>Aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>Remove	Del</source>
        <translation>Entfernen	Entf</translation>
    </message>
</context>
<context>
    <name>remat::studio::Presets</name>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Arrange for planning</source>
        <translation>Zum Planen anordnen</translation>
    </message>
    <message>
        <source>Graph, memory and the plan panel</source>
        <translation>Graph, Speicher und das Plan-Panel</translation>
    </message>
    <message>
        <source>Arrange for comparing</source>
        <translation>Zum Vergleichen anordnen</translation>
    </message>
    <message>
        <source>Two plans over each other, their differences and a summary</source>
        <translation>Zwei Pläne übereinander, ihre Unterschiede und eine Zusammenfassung</translation>
    </message>
    <message>
        <source>Arrange for learning</source>
        <translation>Zum Lernen anordnen</translation>
    </message>
    <message>
        <source>Graph and memory, played step by step and explained</source>
        <translation>Graph und Speicher, Schritt für Schritt abgespielt und erklärt</translation>
    </message>
    <message>
        <source>Arrangement of the window</source>
        <translation>Anordnung des Fensters</translation>
    </message>
</context>
<context>
    <name>remat::studio::ProgressBox</name>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Starting · %1</source>
        <translation>Beginnt · %1</translation>
    </message>
    <message>
        <source>Stopping · %1</source>
        <translation>Hält an · %1</translation>
    </message>
    <message>
        <source>Solved in %1</source>
        <translation>Gelöst in %1</translation>
    </message>
    <message>
        <source>Stopped after %1</source>
        <translation>Nach %1 angehalten</translation>
    </message>
    <message>
        <source>No plan fits</source>
        <translation>Kein Plan passt</translation>
    </message>
    <message>
        <source>Not solved</source>
        <translation>Nicht gelöst</translation>
    </message>
    <message>
        <source>Set the smallest budget</source>
        <translation>Kleinstes Budget einstellen</translation>
    </message>
    <message>
        <source>The least memory that any plan can do with</source>
        <translation>So wenig Speicher, wie ein Plan mindestens braucht</translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation>Lücke %1</translation>
    </message>
    <message>
        <source>By how much the best plan adds more time than any plan must, as far as is proven. 0 %: no plan is faster.</source>
        <translation>Um wie viel mehr Zeit der beste Plan hinzufügt, als nach Beweis jeder Plan muss. 0 %: Kein Plan ist schneller.</translation>
    </message>
    <message>
        <source>%1 of %2 clusters</source>
        <translation>%1 von %2 Clustern</translation>
    </message>
    <message numerus="yes">
        <source>%n more waiting</source>
        <translation>
            <numerusform>%n weiterer wartet</numerusform>
            <numerusform>%n weitere warten</numerusform>
        </translation>
    </message>
    <message>
        <source>Time was up after %1</source>
        <translation>Zeit um nach %1</translation>
    </message>
    <message>
        <source>Of another plan than the one shown: %1 within %2</source>
        <translation>Von einem anderen Plan als dem gezeigten: %1 in %2</translation>
    </message>
    <message>
        <source>A longer time limit may give a better plan.</source>
        <translation>Mit mehr Zeit wird vielleicht ein besserer Plan gefunden.</translation>
    </message>
    <message>
        <source>level %1: %2 of %3 clusters</source>
        <translation>Ebene %1: %2 von %3 Clustern</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleBoard</name>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleHistogram</name>
    <message numerus="yes">
        <source>Your tries by extra time: %n</source>
        <translation>
            <numerusform>Ihre Versuche nach Mehrzeit: %n</numerusform>
            <numerusform>Ihre Versuche nach Mehrzeit: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Each finished play stands here, by its extra time.</source>
        <translation>Jedes beendete Spiel steht hier, nach seiner Mehrzeit.</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleItem</name>
    <message>
        <source>op, %1, can be computed</source>
        <translation>Op, %1, kann berechnet werden</translation>
    </message>
    <message>
        <source>op, %1, not computed yet</source>
        <translation>Op, %1, noch nicht berechnet</translation>
    </message>
    <message numerus="yes">
        <source>op, %1, computed %n times</source>
        <translation>
            <numerusform>Op, %1, %n-mal berechnet</numerusform>
            <numerusform>Op, %1, %n-mal berechnet</numerusform>
        </translation>
    </message>
    <message>
        <source>result, %1, there to stay</source>
        <translation>Ergebnis, %1, bleibt</translation>
    </message>
    <message>
        <source>storage, %1, in memory and in host memory</source>
        <translation>Speicherbereich, %1, im Speicher und im Hauptspeicher</translation>
    </message>
    <message>
        <source>storage, %1, in memory</source>
        <translation>Speicherbereich, %1, im Speicher</translation>
    </message>
    <message>
        <source>storage, %1, in host memory</source>
        <translation>Speicherbereich, %1, im Hauptspeicher</translation>
    </message>
    <message>
        <source>storage, %1, freed</source>
        <translation>Speicherbereich, %1, freigegeben</translation>
    </message>
    <message>
        <source>storage, %1, not made yet</source>
        <translation>Speicherbereich, %1, noch nicht gemacht</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleList</name>
    <message>
        <source>Puzzles</source>
        <translation>Rätsel</translation>
    </message>
    <message>
        <source>Schedule by hand</source>
        <translation>Von Hand planen</translation>
    </message>
    <message>
        <source>Small graphs that do not fit: compute, free and compute again within the budget. The best play of each is proven. You have %1 of %2 stars.</source>
        <translation>Kleine Graphen, die nicht passen: berechnen, freigeben und neu berechnen, im Budget. Das beste Spiel ist jedes Mal bewiesen. Sie haben %1 von %2 Sternen.</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message numerus="yes">
        <source>%n stars of three</source>
        <translation>
            <numerusform>%n Stern von dreien</numerusform>
            <numerusform>%n Sterne von dreien</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleMemoryBar</name>
    <message>
        <source>Memory: %1 of %2 held, at most %3 so far</source>
        <translation>Speicher: %1 von %2 belegt, bisher höchstens %3</translation>
    </message>
    <message>
        <source>In memory %1, at most %2 so far</source>
        <translation>Im Speicher %1, bisher höchstens %2</translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation>Budget %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleRun</name>
    <message>
        <source>Every result is there. Undo to change something, or start again.</source>
        <translation>Jedes Ergebnis ist da. Nehmen Sie zurück, um etwas zu ändern, oder fangen Sie neu an.</translation>
    </message>
    <message>
        <source>Done in the least time. Copying %1 is enough for that.</source>
        <translation>Fertig in der kürzesten Zeit. Dafür genügt es, %1 zu kopieren.</translation>
    </message>
    <message>
        <source>Done, with %1 more. The proven best is %2.</source>
        <translation>Fertig, mit %1 mehr. Das bewiesene Beste ist %2.</translation>
    </message>
    <message>
        <source>Done, with %1 more.</source>
        <translation>Fertig, mit %1 mehr.</translation>
    </message>
    <message>
        <source>compute %1 at the top</source>
        <translation>%1 berechnen, nach ganz oben</translation>
    </message>
    <message>
        <source>compute %1 again</source>
        <translation>%1 neu berechnen</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>%1 berechnen</translation>
    </message>
    <message>
        <source>free %1</source>
        <translation>%1 freigeben</translation>
    </message>
    <message>
        <source>copy %1 out</source>
        <translation>%1 auslagern</translation>
    </message>
    <message>
        <source>bring %1 back</source>
        <translation>%1 einlagern</translation>
    </message>
    <message>
        <source>From here no way leads to every result: something that cannot come back is gone. Undo.</source>
        <translation>Von hier führt kein Weg zu jedem Ergebnis: Etwas ist weg, das nicht wiederkommen kann. Nehmen Sie zurück.</translation>
    </message>
    <message>
        <source>No way on was found within the work that a hint may take. Undo a few moves.</source>
        <translation>In der Arbeit, die ein Hinweis kosten darf, fand sich kein Weg. Nehmen Sie ein paar Züge zurück.</translation>
    </message>
    <message>
        <source>Next: %1. From here the best play ends with %2 more, and that is proven.</source>
        <translation>Nächster Zug: %1. Das beste Spiel von hier endet mit %2 mehr, und das ist bewiesen.</translation>
    </message>
    <message>
        <source>Next: %1. It leads to an end with %2 more; whether that is best is not proven.</source>
        <translation>Nächster Zug: %1. Er führt zu einem Ende mit %2 mehr; ob das das Beste ist, ist nicht bewiesen.</translation>
    </message>
    <message>
        <source>Proving the best play…</source>
        <translation>Die beste Spielweise wird bewiesen…</translation>
    </message>
    <message>
        <source>Proving the best play: %1 positions looked at…</source>
        <translation>Die beste Spielweise wird bewiesen: %1 Stellungen angesehen…</translation>
    </message>
    <message>
        <source>The file had no proven best; it was proven just now.</source>
        <translation>Die Datei hatte kein bewiesenes Bestes; es wurde eben bewiesen.</translation>
    </message>
    <message>
        <source>Done, and proven: no schedule within this budget takes less than %1 extra.</source>
        <translation>Fertig, und bewiesen: Kein Ablauf mit diesem Budget braucht weniger als %1 zusätzlich.</translation>
    </message>
</context>
<context>
    <name>remat::studio::PuzzleWindow</name>
    <message>
        <source>Puzzle: %1</source>
        <translation>Rätsel: %1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Takes the last move back</source>
        <translation>Nimmt den letzten Zug zurück</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Does it again</source>
        <translation>Macht ihn noch einmal</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu anfangen</translation>
    </message>
    <message>
        <source>Takes every move back</source>
        <translation>Nimmt alle Züge zurück</translation>
    </message>
    <message>
        <source>Where it gets tight</source>
        <translation>Wo es eng wird</translation>
    </message>
    <message>
        <source>A hint: the op at which all that is needed later no longer fits</source>
        <translation>Ein Hinweis: die Op, bei der alles, was später gebraucht wird, nicht mehr passt</translation>
    </message>
    <message>
        <source>Next move</source>
        <translation>Nächster Zug</translation>
    </message>
    <message>
        <source>A hint: the next move of the best play from here, found while you wait</source>
        <translation>Ein Hinweis: der nächste Zug des besten Spiels von hier, sofort gesucht</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation>Bewiesen</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Extra time</source>
        <translation>Mehrzeit</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Two stars for at most %1 more, which is what the forward pass costs once again; three for the best there is.</source>
        <translation>Zwei Sterne für höchstens %1 mehr, so viel wie der Vorwärtslauf noch einmal kostet; drei für das Beste, das es gibt.</translation>
    </message>
    <message>
        <source>Click an op to compute it (C), a storage to free it (F).</source>
        <translation>Klicken Sie auf eine Op, um sie zu berechnen (C), auf einen Bereich, um ihn freizugeben (F).</translation>
    </message>
    <message>
        <source>Right-click a storage to copy it out (O); click it once it is away to bring it back (B).</source>
        <translation>Rechtsklick auf einen Bereich lagert ihn aus (O); ein Klick holt ihn zurück, wenn er fort ist (B).</translation>
    </message>
    <message>
        <source>Right-click an op to put what it makes at the top (T).</source>
        <translation>Rechtsklick auf eine Op legt, was sie macht, nach ganz oben (T).</translation>
    </message>
    <message>
        <source>Arrows go from one to the next, Enter does what is next to do.</source>
        <translation>Pfeile gehen von einem zum nächsten, Enter tut das Naheliegende.</translation>
    </message>
    <message>
        <source>Your tries</source>
        <translation>Ihre Versuche</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Züge</translation>
    </message>
    <message>
        <source>All puzzles</source>
        <translation>Alle Rätsel</translation>
    </message>
    <message>
        <source>With the stars of each</source>
        <translation>Mit den Sternen jedes Rätsels</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>As a file that opens here again</source>
        <translation>Als Datei, die sich hier wieder öffnet</translation>
    </message>
    <message>
        <source>Next puzzle</source>
        <translation>Nächstes</translation>
    </message>
    <message>
        <source>The one after this</source>
        <translation>Das Rätsel nach diesem</translation>
    </message>
    <message numerus="yes">
        <source>%n stars of three</source>
        <translation>
            <numerusform>%n Stern von dreien</numerusform>
            <numerusform>%n Sterne von dreien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Best so far: %n stars of three</source>
        <translation>
            <numerusform>Bisher: %n Stern von dreien</numerusform>
            <numerusform>Bisher: %n Sterne von dreien</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for the best play from here…</source>
        <translation>Sucht das beste Spiel von hier …</translation>
    </message>
    <message>
        <source>Begin with an op that has a play sign: all that it reads is there.</source>
        <translation>Fangen Sie mit einer Op an, die ein Abspielzeichen hat: Alles, was sie liest, ist da.</translation>
    </message>
    <message numerus="yes">
        <source>%n moves</source>
        <translation>
            <numerusform>%n Zug</numerusform>
            <numerusform>%n Züge</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::studio::Puzzles</name>
    <message>
        <source>Puzzles…</source>
        <translation>Rätsel …</translation>
    </message>
    <message>
        <source>Schedule small graphs by hand, beside a proven best</source>
        <translation>Kleine Graphen von Hand planen, neben einem bewiesenen Besten</translation>
    </message>
    <message>
        <source>Make a puzzle from this</source>
        <translation>Ein Rätsel daraus machen</translation>
    </message>
    <message>
        <source>The selected cluster as a puzzle, with a budget that is proven to cost something</source>
        <translation>Der ausgewählte Cluster als Rätsel, mit einem Budget, das nachweislich etwas kostet</translation>
    </message>
    <message>
        <source>Proving the best play of %1…</source>
        <translation>Beweist das beste Spiel von %1 …</translation>
    </message>
    <message>
        <source>A part of %1. What the rest of the network does in between is one op of no time.</source>
        <translation>Ein Teil von %1. Was der Rest des Netzes dazwischen tut, ist eine Op ohne Zeit.</translation>
    </message>
    <message>
        <source>The puzzle is open in a window of its own; there it can be saved.</source>
        <translation>Das Rätsel ist in einem eigenen Fenster offen; dort lässt es sich speichern.</translation>
    </message>
    <message>
        <source>Save the puzzle</source>
        <translation>Rätsel speichern</translation>
    </message>
    <message>
        <source>Puzzle (*.json)</source>
        <translation>Rätsel (*.json)</translation>
    </message>
    <message>
        <source>The puzzle is in %1.</source>
        <translation>Das Rätsel ist in %1.</translation>
    </message>
</context>
<context>
    <name>remat::studio::RangeTable</name>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Came</source>
        <translation>Kam</translation>
    </message>
    <message>
        <source>Went</source>
        <translation>Ging</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>remat::studio::RangeView</name>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>By block</source>
        <translation>Je Block</translation>
    </message>
    <message>
        <source>By module</source>
        <translation>Je Modul</translation>
    </message>
    <message>
        <source>By op</source>
        <translation>Je Op</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>Je Typ</translation>
    </message>
    <message>
        <source>By category</source>
        <translation>Je Kategorie</translation>
    </message>
    <message>
        <source>Each storage</source>
        <translation>Jeder Bereich</translation>
    </message>
    <message>
        <source>Sums of the range</source>
        <translation>Summen des Bereichs</translation>
    </message>
    <message>
        <source>Hold Shift and drag in Memory or Lanes to choose a stretch of time. Its sums are shown here.</source>
        <translation>Halten Sie Umschalt und ziehen Sie in Speicher oder Spuren, um einen Zeitbereich zu wählen. Seine Summen stehen dann hier.</translation>
    </message>
    <message>
        <source>%1 from %2, %3 steps. %4 came, %5 went; at most %6 were held.</source>
        <translation>%1 ab %2, %3 Schritte. %4 kamen, %5 gingen; höchstens %6 waren belegt.</translation>
    </message>
</context>
<context>
    <name>remat::studio::RecentRow</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>%1 ops, peak %2</source>
        <translation>%1 Ops, Spitze %2</translation>
    </message>
    <message>
        <source>Ctrl+%1</source>
        <translation>Strg+%1</translation>
    </message>
</context>
<context>
    <name>remat::studio::ReportRuns</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed, though equal</source>
        <translation>gescheitert, obwohl gleich</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
</context>
<context>
    <name>remat::studio::Reports</name>
    <message>
        <source>Reports of devices</source>
        <translation>Berichte von Geräten</translation>
    </message>
    <message>
        <source>What plans came to on real devices, as remat doctor measured it on each</source>
        <translation>Was Pläne auf echten Geräten ergaben, wie remat doctor es auf jedem gemessen hat</translation>
    </message>
</context>
<context>
    <name>remat::studio::ReportsWindow</name>
    <message>
        <source>%1, simulated device</source>
        <translation>%1, simuliertes Gerät</translation>
    </message>
    <message>
        <source>Plans run on it as they say</source>
        <translation>Pläne laufen darauf, wie sie es sagen</translation>
    </message>
    <message>
        <source>Not everything held</source>
        <translation>Nicht alles hat gestimmt</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>%1 a second, %2 before a copy begins</source>
        <translation>%1 je Sekunde, %2 bis eine Kopie beginnt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>; without %1</source>
        <translation>; ohne %1</translation>
    </message>
    <message>
        <source>Reports of devices</source>
        <translation>Berichte von Geräten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Link to the host</source>
        <translation>Verbindung zum Host</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Plans that were run</source>
        <translation>Ausgeführte Pläne</translation>
    </message>
    <message>
        <source>%1, %2, by %3</source>
        <translation>%1, %2, von %3</translation>
    </message>
</context>
<context>
    <name>remat::studio::ResultsTable</name>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Makes</source>
        <translation>Erzeugt</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Computed</source>
        <translation>Berechnet</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
</context>
<context>
    <name>remat::studio::ResultsView</name>
    <message>
        <source>Ops that were found</source>
        <translation>Gefundene Ops</translation>
    </message>
    <message>
        <source>No op matches %1.</source>
        <translation>Keine Op passt zu %1.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>1 op</source>
        <translation>1 Op</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 Ops</translation>
    </message>
    <message>
        <source>No search yet. Ctrl+F finds ops by name and filters.</source>
        <translation>Noch keine Suche. Strg+F findet Ops nach Namen und Filtern.</translation>
    </message>
</context>
<context>
    <name>remat::studio::RulerButton</name>
    <message>
        <source>Measure: drag over the plot to choose a range (Ctrl+Alt+M). Shift and a drag do so at any time.</source>
        <translation>Messen: Ziehen über das Diagramm wählt einen Bereich (Strg+Alt+M). Umschalt und Ziehen tun es jederzeit.</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
</context>
<context>
    <name>remat::studio::RunOnButton</name>
    <message>
        <source>Device to validate on</source>
        <translation>Gerät zum Validieren</translation>
    </message>
    <message>
        <source>The device that plans are validated on</source>
        <translation>Das Gerät, auf dem Pläne validiert werden</translation>
    </message>
    <message>
        <source>The best there is</source>
        <translation>Das beste vorhandene</translation>
    </message>
    <message>
        <source>The GPU when LibTorch can use one, else the CPU</source>
        <translation>Die GPU, wenn LibTorch eine nutzen kann, sonst die CPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Slower, and always there</source>
        <translation>Langsamer, und immer da</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Looking for a GPU</source>
        <translation>Sucht eine GPU</translation>
    </message>
    <message>
        <source>GPU: none</source>
        <translation>GPU: keine</translation>
    </message>
    <message>
        <source>GPU: %1</source>
        <translation>GPU: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::SampleCard</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Opens %1: %2</source>
        <translation>Öffnet %1: %2</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
</context>
<context>
    <name>remat::studio::Search</name>
    <message>
        <source>Find ops</source>
        <translation>Ops finden</translation>
    </message>
    <message>
        <source>Finds ops by name and by filters, such as size&gt;10MiB recomputed</source>
        <translation>Findet Ops nach Namen und Filtern wie size&gt;10MiB recomputed</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Goes to the next op that was found</source>
        <translation>Geht zur nächsten gefundenen Op</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Goes to the op that was found before</source>
        <translation>Geht zur zuvor gefundenen Op</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Lists all ops that were found</source>
        <translation>Listet alle gefundenen Ops auf</translation>
    </message>
</context>
<context>
    <name>remat::studio::SearchField</name>
    <message>
        <source>Search ops, storages, commands</source>
        <translation>Ops, Speicherbereiche, Befehle suchen</translation>
    </message>
    <message>
        <source>Runs any command, and goes to any op or storage (%1)</source>
        <translation>Führt jeden Befehl aus und geht zu jeder Op und jedem Speicherbereich (%1)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
</context>
<context>
    <name>remat::studio::SolveJob</name>
    <message>
        <source>No plan fits %1: the results alone need %2.</source>
        <translation>Kein Plan passt in %1: Die Ergebnisse allein brauchen %2.</translation>
    </message>
    <message>
        <source>No plan fits %1: op %2 alone needs %3.</source>
        <translation>Kein Plan passt in %1: Die Op %2 allein braucht %3.</translation>
    </message>
    <message>
        <source>Stopped before a first plan was found.</source>
        <translation>Angehalten, bevor ein erster Plan gefunden war.</translation>
    </message>
    <message>
        <source>%1 found no plan within %2.</source>
        <translation>%1 fand keinen Plan innerhalb von %2.</translation>
    </message>
    <message>
        <source>The smallest peak it reached is %1.</source>
        <translation>Die kleinste erreichte Spitze ist %1.</translation>
    </message>
    <message>
        <source>Taken back before it started.</source>
        <translation>Vor dem Beginn zurückgenommen.</translation>
    </message>
    <message>
        <source>Found with all ops whole; it is open beside this one.</source>
        <translation>Mit ganzen Ops gefunden; der Plan ist neben diesem offen.</translation>
    </message>
    <message>
        <source>Found in %1; it is open beside this one.</source>
        <translation>Gefunden: %1. Der Plan ist neben diesem offen.</translation>
    </message>
</context>
<context>
    <name>remat::studio::SourceView</name>
    <message>
        <source>Copy the calls</source>
        <translation>Aufrufe kopieren</translation>
    </message>
    <message>
        <source>Copies all calls as a stack trace of Python</source>
        <translation>Kopiert alle Aufrufe, wie Python sie schreibt</translation>
    </message>
    <message>
        <source>Calls that the selection comes from</source>
        <translation>Aufrufe, aus denen die Auswahl stammt</translation>
    </message>
    <message>
        <source>Select an op, a storage or a module. The lines of Python that it comes from are shown here.</source>
        <translation>Wählen Sie eine Op, einen Speicherbereich oder ein Modul. Hier stehen dann die Zeilen in Python, aus denen es stammt.</translation>
    </message>
    <message>
        <source>%1: the trace has no source line for it.</source>
        <translation>%1: Die Aufzeichnung nennt keine Zeile dazu.</translation>
    </message>
    <message>
        <source>%1: calls that all of its ops come from, the innermost first.</source>
        <translation>%1: Aufrufe, aus denen alle Ops stammen, der innerste zuerst.</translation>
    </message>
    <message>
        <source>%1: the line that it comes from.</source>
        <translation>%1: die Zeile, aus der sie stammt.</translation>
    </message>
    <message>
        <source>%1: %2 calls, the innermost first.</source>
        <translation>%1: %2 Aufrufe, der innerste zuerst.</translation>
    </message>
    <message>
        <source>%1: its ops have no call in common.</source>
        <translation>%1: Die Ops haben keinen Aufruf gemeinsam.</translation>
    </message>
</context>
<context>
    <name>remat::studio::StartPage</name>
    <message>
        <source>Train the model that does not fit</source>
        <translation>Trainieren, was nicht in den Speicher passt</translation>
    </message>
    <message>
        <source>Open a training graph, set a memory budget, and get a plan that is checked and run.</source>
        <translation>Trainingsgraph öffnen, Speicherbudget setzen und einen Plan erhalten, der geprüft und ausgeführt ist.</translation>
    </message>
    <message>
        <source>Drop a model here</source>
        <translation>Modell hier ablegen</translation>
    </message>
    <message>
        <source>Exported training graph (.pt2) or graph (.json)</source>
        <translation>Exportierter Trainingsgraph (.pt2) oder Graph (.json)</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Trace from PyTorch…</source>
        <translation>Aus PyTorch aufzeichnen …</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>The samples are not installed. Open a model of your own.</source>
        <translation>Die Beispiele sind nicht installiert. Öffnen Sie ein eigenes Modell.</translation>
    </message>
    <message>
        <source>Tiny versions that run on a CPU in seconds:</source>
        <translation>Kleine Fassungen, die auf einer CPU in Sekunden laufen:</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Left behind</source>
        <translation>Zurückgeblieben</translation>
    </message>
    <message>
        <source>Reopen %1</source>
        <translation>%1 wieder öffnen</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Removes what was kept of them</source>
        <translation>Entfernt, was davon aufgehoben war</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>New here?</source>
        <translation>Neu hier?</translation>
    </message>
    <message>
        <source>Watch a plan being solved</source>
        <translation>Beim Lösen zusehen</translation>
    </message>
    <message>
        <source>Trace your own model</source>
        <translation>Eigenes Modell aufzeichnen</translation>
    </message>
    <message>
        <source>One command, from PyTorch</source>
        <translation>Ein Befehl, aus PyTorch</translation>
    </message>
    <message>
        <source>Keys and commands</source>
        <translation>Tasten und Befehle</translation>
    </message>
    <message>
        <source>Press ? at any time</source>
        <translation>Jederzeit ? drücken</translation>
    </message>
    <message>
        <source>Reopen the last session</source>
        <translation>Letzte Sitzung wieder öffnen</translation>
    </message>
    <message>
        <source>Models you open are listed here.</source>
        <translation>Hier stehen die Modelle, die Sie öffnen.</translation>
    </message>
    <message>
        <source>Learn it by doing</source>
        <translation>Lernen durch Tun</translation>
    </message>
    <message>
        <source>Short lessons, from the first idea to proofs</source>
        <translation>Kurze Lektionen, von der ersten Idee bis zum Beweis</translation>
    </message>
    <message>
        <source>Schedule by hand</source>
        <translation>Von Hand planen</translation>
    </message>
    <message>
        <source>Puzzles, each with a proven best</source>
        <translation>Rätsel, jedes mit einem bewiesenen Besten</translation>
    </message>
    <message>
        <source>%1 in half of its memory</source>
        <translation>%1 mit halbem Speicher</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::StartUp</name>
    <message>
        <source>There is no command %1. Did you mean %2?</source>
        <translation>Es gibt keinen Befehl %1. Meinten Sie %2?</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>%1 is not possible here.</source>
        <translation>%1 ist hier nicht möglich.</translation>
    </message>
    <message>
        <source>Nothing has the keyboard, so %1 cannot be typed.</source>
        <translation>Nichts hat die Tastatur, also lässt sich %1 nicht tippen.</translation>
    </message>
    <message>
        <source>%1 needs an open model.</source>
        <translation>%1 braucht ein offenes Modell.</translation>
    </message>
    <message>
        <source>The model has nothing called %1. Did you mean %2?</source>
        <translation>Im Modell heißt nichts %1. Meinten Sie %2?</translation>
    </message>
    <message>
        <source>There is no step %1. The steps are 0 to %2.</source>
        <translation>Es gibt keinen Schritt %1. Die Schritte sind 0 bis %2.</translation>
    </message>
</context>
<context>
    <name>remat::studio::StatusLine</name>
    <message>
        <source>Everything is kept while you work and offered again should the program be killed</source>
        <translation>Alles wird während der Arbeit aufgehoben und wieder angeboten, sollte das Programm abgebrochen werden</translation>
    </message>
    <message>
        <source>Size of text and controls</source>
        <translation>Größe von Text und Bedienelementen</translation>
    </message>
    <message>
        <source>No model open</source>
        <translation>Kein Modell offen</translation>
    </message>
    <message>
        <source>%1 ops · %2 storages</source>
        <translation>%1 Ops · %2 Speicherbereiche</translation>
    </message>
    <message>
        <source>Storages that plans hold and free; parameters and inputs are always there</source>
        <translation>Speicherbereiche, die Pläne halten und freigeben; Parameter und Eingaben sind immer da</translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation>Schritt %1 von %2 · %3</translation>
    </message>
    <message>
        <source>Selected: %1 · %2</source>
        <translation>Ausgewählt: %1 · %2</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Ausgewählt: %1</translation>
    </message>
    <message>
        <source>Size of text and controls, %1</source>
        <translation>Größe von Text und Bedienelementen, %1</translation>
    </message>
    <message>
        <source>Saved %1 ago</source>
        <translation>Vor %1 gesichert</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
</context>
<context>
    <name>remat::studio::Steer</name>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Plans keep what is selected on the device until its last use</source>
        <translation>Pläne behalten die Auswahl bis zur letzten Verwendung auf dem Gerät</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Plans drop what is selected after the forward pass and compute it again</source>
        <translation>Pläne verwerfen die Auswahl nach dem Vorwärtslauf und berechnen sie neu</translation>
    </message>
    <message>
        <source>Never recompute</source>
        <translation>Nie neu berechnen</translation>
    </message>
    <message>
        <source>Plans compute what is selected once</source>
        <translation>Pläne berechnen die Auswahl nur einmal</translation>
    </message>
    <message>
        <source>Clear decision</source>
        <translation>Entscheidung löschen</translation>
    </message>
    <message>
        <source>Leaves what is selected to the planner again</source>
        <translation>Überlässt die Auswahl wieder dem Planer</translation>
    </message>
    <message>
        <source>Clear all decisions</source>
        <translation>Alle Entscheidungen löschen</translation>
    </message>
    <message>
        <source>Takes every decision made by hand back</source>
        <translation>Nimmt jede Entscheidung von Hand zurück</translation>
    </message>
    <message>
        <source>Nothing in this cluster can be computed again after the forward pass.</source>
        <translation>Nichts in diesem Cluster lässt sich nach dem Vorwärtslauf neu berechnen.</translation>
    </message>
    <message>
        <source>Nothing in the backward pass reads what %1 makes: plans drop it after its last use anyway, so this changes nothing by itself. Choose an op after it that the backward pass reads.</source>
        <translation>Nichts im Rückwärtslauf liest, was %1 macht: Pläne verwerfen es ohnehin nach der letzten Verwendung, für sich allein ändert das also nichts. Wählen Sie eine Op danach, die der Rückwärtslauf liest.</translation>
    </message>
    <message>
        <source>Chunks</source>
        <translation>Teile</translation>
    </message>
</context>
<context>
    <name>remat::studio::StepChart</name>
    <message>
        <source>Best plan and lower bound over time</source>
        <translation>Bester Plan und untere Schranke über der Zeit</translation>
    </message>
    <message>
        <source>best plan</source>
        <translation>bester Plan</translation>
    </message>
    <message>
        <source>lower bound</source>
        <translation>untere Schranke</translation>
    </message>
</context>
<context>
    <name>remat::studio::StepPlayer</name>
    <message>
        <source>Slow</source>
        <translation>Langsam</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Step player</source>
        <translation>Schrittspieler</translation>
    </message>
    <message>
        <source>Shows the strip that plays the plan step by step</source>
        <translation>Zeigt die Leiste, die den Plan Schritt für Schritt abspielt</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>Goes to the computation before</source>
        <translation>Geht zur vorigen Berechnung</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>Goes to the next computation</source>
        <translation>Geht zur nächsten Berechnung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>Play, or go step by step.</source>
        <translation>Abspielen, oder einzeln weitergehen.</translation>
    </message>
    <message>
        <source>Step %1 of %2 · %3</source>
        <translation>Schritt %1 von %2 · %3</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Next recomputation</source>
        <translation>Nächste Neuberechnung</translation>
    </message>
    <message>
        <source>Goes to the next op that is computed again</source>
        <translation>Geht zur nächsten Op, die noch einmal berechnet wird</translation>
    </message>
    <message>
        <source>Next free</source>
        <translation>Nächste Freigabe</translation>
    </message>
    <message>
        <source>Goes to the next computation after which something is freed</source>
        <translation>Geht zur nächsten Berechnung, nach der etwas freigegeben wird</translation>
    </message>
    <message>
        <source>Step of the peak</source>
        <translation>Schritt der Spitze</translation>
    </message>
    <message>
        <source>Goes to the step at which most is held</source>
        <translation>Geht zum Schritt, an dem am meisten belegt ist</translation>
    </message>
    <message>
        <source>Recomputation before</source>
        <translation>Vorige Neuberechnung</translation>
    </message>
    <message>
        <source>Goes back to the recomputation before</source>
        <translation>Geht zurück zur vorigen Neuberechnung</translation>
    </message>
    <message>
        <source>Free before</source>
        <translation>Vorige Freigabe</translation>
    </message>
    <message>
        <source>Goes back to the free before</source>
        <translation>Geht zurück zur vorigen Freigabe</translation>
    </message>
    <message>
        <source>Loop from this step</source>
        <translation>Schleife ab hier</translation>
    </message>
    <message>
        <source>Playing begins here and comes back here</source>
        <translation>Das Abspielen beginnt hier und kehrt hierher zurück</translation>
    </message>
    <message>
        <source>Loop to this step</source>
        <translation>Schleife bis hier</translation>
    </message>
    <message>
        <source>Playing goes back to the start of the loop after this step</source>
        <translation>Nach diesem Schritt geht das Abspielen an den Anfang der Schleife zurück</translation>
    </message>
    <message>
        <source>End the loop</source>
        <translation>Schleife beenden</translation>
    </message>
    <message>
        <source>Plays to the end again</source>
        <translation>Spielt wieder bis zum Ende</translation>
    </message>
    <message>
        <source>Loop from computation %1 to %2</source>
        <translation>Schleife von Berechnung %1 bis %2</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Am schnellsten</translation>
    </message>
    <message>
        <source>Play the plan</source>
        <translation>Plan abspielen</translation>
    </message>
    <message>
        <source>Moves the time cursor through the steps of the plan, or stops it</source>
        <translation>Bewegt den Zeitzeiger durch die Schritte des Plans, oder hält ihn an</translation>
    </message>
    <message>
        <source>Pause the plan</source>
        <translation>Plan anhalten</translation>
    </message>
</context>
<context>
    <name>remat::studio::StepUpdates</name>
    <message>
        <source>Updates in the step</source>
        <translation>Updates im Schritt</translation>
    </message>
    <message>
        <source>Updates of %1</source>
        <translation>Updates von %1</translation>
    </message>
    <message>
        <source>No updates</source>
        <translation>Keine Updates</translation>
    </message>
    <message>
        <source>Opens the model once more, with an update behind each gradient: weights and states may leave</source>
        <translation>Öffnet das Modell noch einmal, mit einem Update hinter jedem Gradienten: Gewichte und Zustände dürfen ausgelagert werden</translation>
    </message>
    <message>
        <source>Opens the model as it was traced: forward and backward pass</source>
        <translation>Öffnet das Modell, wie es aufgezeichnet wurde: Vorwärts- und Rückwärtslauf</translation>
    </message>
    <message>
        <source>Updates on the host</source>
        <translation>Updates auf dem Host</translation>
    </message>
    <message>
        <source>The CPU computes them, on copies in its memory; the optimizer&apos;s states stay there</source>
        <translation>Die CPU berechnet sie, auf Kopien in ihrem Speicher; die Zustände des Optimierers bleiben dort</translation>
    </message>
</context>
<context>
    <name>remat::studio::Stories</name>
    <message>
        <source>How %1 plans…</source>
        <translation>Wie %1 plant…</translation>
    </message>
    <message>
        <source>Plans the open model with %1 and plays what it did, frame by frame; for small graphs</source>
        <translation>Plant das offene Modell mit %1 und spielt ab, was dabei geschah, Bild für Bild; für kleine Graphen</translation>
    </message>
    <message>
        <source>Save the story</source>
        <translation>Die Aufzeichnung speichern</translation>
    </message>
    <message>
        <source>Stories (*.json)</source>
        <translation>Aufzeichnungen (*.json)</translation>
    </message>
    <message>
        <source>The story is in %1.</source>
        <translation>Die Aufzeichnung ist in %1.</translation>
    </message>
    <message>
        <source>How planners think</source>
        <translation>Wie Planer denken</translation>
    </message>
    <message>
        <source>Fills a table: the least time of every part of a chain</source>
        <translation>Füllt eine Tabelle: die geringste Zeit für jedes Stück einer Kette</translation>
    </message>
    <message>
        <source>Best plan and bound close in on each other: branch and cut</source>
        <translation>Bester Plan und Schranke nähern sich an: Branch and Cut</translation>
    </message>
    <message>
        <source>Drops what is large and quick to make, then tries small moves</source>
        <translation>Verwirft, was groß und schnell zu machen ist, und probiert dann kleine Züge</translation>
    </message>
    <message>
        <source>Throws out the lowest score whenever memory is full</source>
        <translation>Wirft bei vollem Speicher immer die niedrigste Bewertung hinaus</translation>
    </message>
    <message>
        <source>How planners think…</source>
        <translation>Wie Planer denken…</translation>
    </message>
    <message>
        <source>Rotor, Checkmate, the search and DTR at work, frame by frame</source>
        <translation>Rotor, Checkmate, die Suche und DTR bei der Arbeit, Bild für Bild</translation>
    </message>
    <message>
        <source>See how this planner thinks</source>
        <translation>Zusehen, wie dieser Planer denkt</translation>
    </message>
    <message>
        <source>Plays what it does, frame by frame: on this graph where it is small, else on a small one</source>
        <translation>Spielt Bild für Bild ab, was er tut: auf diesem Graphen, wenn er klein ist, sonst auf einem kleinen</translation>
    </message>
    <message>
        <source>Animated PNG (*.png)</source>
        <translation>Animiertes PNG (*.png)</translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryChartView</name>
    <message>
        <source>No chart</source>
        <translation>Kein Diagramm</translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryList</name>
    <message>
        <source>How planners think</source>
        <translation>Wie Planer denken</translation>
    </message>
    <message>
        <source>Each opens a small graph with a tight budget, plans it, and plays what the planner did, frame by frame. With a small graph of your own open, the Plan panel offers the same.</source>
        <translation>Jeder öffnet einen kleinen Graphen mit knappem Budget, plant ihn und spielt Bild für Bild ab, was der Planer getan hat. Ist ein eigener kleiner Graph offen, bietet das Plan-Panel dasselbe.</translation>
    </message>
</context>
<context>
    <name>remat::studio::StoryWindow</name>
    <message>
        <source>Table of the frame</source>
        <translation>Tabelle des Bildes</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Frame before</source>
        <translation>Bild davor</translation>
    </message>
    <message>
        <source>Play the story</source>
        <translation>Aufzeichnung abspielen</translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation>Nächstes Bild</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Pause the story</source>
        <translation>Aufzeichnung anhalten</translation>
    </message>
</context>
<context>
    <name>remat::studio::SummaryView</name>
    <message>
        <source>Use A</source>
        <translation>A nehmen</translation>
    </message>
    <message>
        <source>Use B</source>
        <translation>B nehmen</translation>
    </message>
    <message>
        <source>Nothing is compared. Select two plans in the list and press C.</source>
        <translation>Nichts wird verglichen. Wählen Sie zwei Pläne in der Liste aus und drücken Sie C.</translation>
    </message>
    <message>
        <source>Memory at the peak, by category</source>
        <translation>Speicher an der Spitze, nach Kategorie</translation>
    </message>
    <message>
        <source>Makes A the current plan of all views</source>
        <translation>Macht A zum aktuellen Plan aller Ansichten</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>Makes %1 the current plan of all views</source>
        <translation>Macht %1 zum aktuellen Plan aller Ansichten</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Ausgewählt: %1</translation>
    </message>
    <message>
        <source>Made under unequal conditions: %1</source>
        <translation>Unter ungleichen Bedingungen gemacht: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::SumsTable</name>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Neu berechnet</translation>
    </message>
    <message>
        <source>Offloaded</source>
        <translation>Ausgelagert</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
</context>
<context>
    <name>remat::studio::SweepRunner</name>
    <message>
        <source>The workers of a cluster read the model&apos;s file, which knows nothing of the updates in its step. Sweep on this machine.</source>
        <translation>Die Arbeiter eines Clusters lesen die Datei des Modells, die von den Updates im Schritt nichts weiß. Starten Sie die Budgetreihe auf diesem Rechner.</translation>
    </message>
</context>
<context>
    <name>remat::studio::SweepStrip</name>
    <message>
        <source>Sweep</source>
        <translation>Budgetreihe</translation>
    </message>
    <message>
        <source>Planners</source>
        <translation>Planer</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Progress of the sweep</source>
        <translation>Fortschritt der Budgetreihe</translation>
    </message>
    <message>
        <source>1 planner</source>
        <translation>1 Planer</translation>
    </message>
    <message>
        <source>%1 planners</source>
        <translation>%1 Planer</translation>
    </message>
    <message>
        <source>%1 % to %2 %, %3 planners</source>
        <translation>%1 % bis %2 %, %3 Planer</translation>
    </message>
    <message>
        <source>%1 of %2 plans</source>
        <translation>%1 von %2 Plänen</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>hält an</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>noch etwa %1</translation>
    </message>
    <message>
        <source>%1 % to %2 % of the keep-all peak, %3 per plan</source>
        <translation>%1 % bis %2 % der Keep-all-Spitze, %3 je Plan</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>On a Dask cluster…</source>
        <translation>Auf einem Dask-Cluster …</translation>
    </message>
    <message>
        <source>Workers of the cluster plan, each with the Python package remat-studio; plans come back as they are made, and are checked here</source>
        <translation>Die Worker des Clusters planen, jeder mit dem Python-Paket remat-studio; Pläne kommen zurück, sobald sie fertig sind, und werden hier geprüft</translation>
    </message>
    <message>
        <source>Plan on a Dask cluster</source>
        <translation>Auf einem Dask-Cluster planen</translation>
    </message>
    <message>
        <source>Address of its scheduler</source>
        <translation>Adresse seines Schedulers</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>Auf %1</translation>
    </message>
    <message>
        <source>, on %1</source>
        <translation>, auf %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::TableMenus</name>
    <message>
        <source>Copy row</source>
        <translation>Zeile kopieren</translation>
    </message>
    <message>
        <source>Show in the graph</source>
        <translation>Im Graphen zeigen</translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation>Tabelle exportieren …</translation>
    </message>
    <message>
        <source>Export the table %1</source>
        <translation>Tabelle „%1“ exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation>Die Tabelle ist in %1.</translation>
    </message>
</context>
<context>
    <name>remat::studio::TensorsTable</name>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Computed again for %1</source>
        <translation>Neu berechnet für %1</translation>
    </message>
    <message>
        <source>Brought back for %1</source>
        <translation>Zurückgeholt für %1</translation>
    </message>
    <message>
        <source>Saved for %1</source>
        <translation>Gespeichert für %1</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::TensorsView</name>
    <message>
        <source>Saved tensors</source>
        <translation>Gespeicherte Tensoren</translation>
    </message>
    <message>
        <source>Sums of saved tensors</source>
        <translation>Summen gespeicherter Tensoren</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>Gruppieren</translation>
    </message>
    <message>
        <source>Each tensor</source>
        <translation>Jeder Tensor</translation>
    </message>
    <message>
        <source>By module</source>
        <translation>Je Modul</translation>
    </message>
    <message>
        <source>By block</source>
        <translation>Je Block</translation>
    </message>
    <message>
        <source>By op</source>
        <translation>Je Op</translation>
    </message>
    <message>
        <source>By type</source>
        <translation>Je Typ</translation>
    </message>
    <message>
        <source>Filter of tensors</source>
        <translation>Filter für Tensoren</translation>
    </message>
    <message>
        <source>Filter, as in Find: module:h.1 size&gt;1MiB kept</source>
        <translation>Filter wie beim Suchen: module:h.1 size&gt;1MiB kept</translation>
    </message>
    <message>
        <source>%1 of %2 tensors, %3; %4 kept</source>
        <translation>%1 von %2 Tensoren, %3; %4 behalten</translation>
    </message>
</context>
<context>
    <name>remat::studio::Themes</name>
    <message>
        <source>Theme of the system</source>
        <translation>Farben des Systems</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>Hell oder dunkel wie der Desktop</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helle Farben</translation>
    </message>
    <message>
        <source>Dark text on light</source>
        <translation>Dunkler Text auf hellem Grund</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkle Farben</translation>
    </message>
    <message>
        <source>Light text on dark</source>
        <translation>Heller Text auf dunklem Grund</translation>
    </message>
    <message>
        <source>High contrast theme</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>White on black with strong borders</source>
        <translation>Weiß auf Schwarz mit kräftigen Rändern</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
</context>
<context>
    <name>remat::studio::TimeGestures</name>
    <message>
        <source>Drag to measure a range. Esc clears it.</source>
        <translation>Ziehen misst einen Bereich. Esc hebt ihn auf.</translation>
    </message>
    <message>
        <source>The part that is shown. W and S zoom, A and D move, F shows all.</source>
        <translation>Der gezeigte Teil. W und S zoomen, A und D verschieben, F zeigt alles.</translation>
    </message>
</context>
<context>
    <name>remat::studio::TimeHeader</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>What the horizontal axis counts</source>
        <translation>Was die waagerechte Achse zählt</translation>
    </message>
</context>
<context>
    <name>remat::studio::TimelineTable</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
</context>
<context>
    <name>remat::studio::ToolRow</name>
    <message>
        <source>Where the time of each op comes from</source>
        <translation>Woher die Zeit jeder Op kommt</translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation>Kosten von %1</translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation>Profil …</translation>
    </message>
</context>
<context>
    <name>remat::studio::TracerWindow</name>
    <message>
        <source>Trace your own model</source>
        <translation>Eigenes Modell aufzeichnen</translation>
    </message>
    <message>
        <source>1. A function that returns the model and what it is called with</source>
        <translation>1. Eine Funktion, die das Modell zurückgibt und womit es aufgerufen wird</translation>
    </message>
    <message>
        <source>Example of such a function</source>
        <translation>Beispiel einer solchen Funktion</translation>
    </message>
    <message>
        <source>It may return a loss function as a third value. Without one the model&apos;s own loss is taken, or the mean of squares of its outputs.</source>
        <translation>Als dritten Wert darf sie eine Verlustfunktion zurückgeben. Ohne sie wird der Verlust des Modells genommen oder das mittlere Quadrat seiner Ausgaben.</translation>
    </message>
    <message>
        <source>2. The command that traces it, in an environment with PyTorch</source>
        <translation>2. Der Befehl, der es aufzeichnet, in einer Umgebung mit PyTorch</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>3. Drop my_model.pt2 on the window.</source>
        <translation>3. Ziehen Sie my_model.pt2 auf das Fenster.</translation>
    </message>
</context>
<context>
    <name>remat::studio::TrainWindow</name>
    <message>
        <source>%1, %2 more time</source>
        <translation>%1, %2 mehr Zeit</translation>
    </message>
    <message>
        <source>Train with this</source>
        <translation>Damit trainieren</translation>
    </message>
    <message>
        <source>In your own script, under this budget</source>
        <translation>In Ihrem eigenen Skript, unter diesem Budget</translation>
    </message>
    <message>
        <source>Lines for your script</source>
        <translation>Zeilen für Ihr Skript</translation>
    </message>
    <message>
        <source>Copy the lines</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>This very plan, or what other programs can take of it</source>
        <translation>Genau dieser Plan, oder was andere Programme von ihm nehmen können</translation>
    </message>
    <message>
        <source>There is no plan yet. Solve first.</source>
        <translation>Es gibt noch keinen Plan. Lösen Sie zuerst.</translation>
    </message>
    <message>
        <source>Looking at what each takes…</source>
        <translation>Sieht nach, was jede braucht …</translation>
    </message>
    <message>
        <source>Write…</source>
        <translation>Schreiben …</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>%1 schreiben</translation>
    </message>
    <message>
        <source>Plan file</source>
        <translation>Plandatei</translation>
    </message>
    <message>
        <source>The plan itself: remat_studio.read_plan(&quot;plan.json&quot;).apply(model, args, loss_fn) trains the traced model with it. Nothing is lost.</source>
        <translation>Der Plan selbst: remat_studio.read_plan(&quot;plan.json&quot;).apply(model, args, loss_fn) trainiert das aufgezeichnete Modell damit. Nichts geht verloren.</translation>
    </message>
    <message>
        <source>Lost: %1</source>
        <translation>Verloren: %1</translation>
    </message>
    <message>
        <source>not for this plan</source>
        <translation>nicht für diesen Plan</translation>
    </message>
    <message>
        <source>The step is planned anew where it runs, with the same planners, and computes with PyTorch&apos;s own kernels: loss and gradients are equal to the bit.</source>
        <translation>Der Schritt wird dort, wo er läuft, mit denselben Planern neu geplant und rechnet mit PyTorchs eigenen Kernels: Verlust und Gradienten sind bitgleich.</translation>
    </message>
    <message>
        <source>The model as a module with its own forward, which Trainer, Accelerate, Lightning and DDP take as it is. It computes with PyTorch&apos;s own kernels: loss and gradients are equal to the bit.</source>
        <translation>Das Modell als Modul mit seinem eigenen Forward, das Trainer, Accelerate, Lightning und DDP nehmen, wie es ist. Es rechnet mit PyTorchs eigenen Kerneln: Verlust und Gradienten sind bitgleich.</translation>
    </message>
    <message>
        <source>The compiler&apos;s kernels stay, and the budget is of what they hold, which is known before one is compiled. Values agree to rounding. Add graph=&quot;step.json&quot; to open what was planned here.</source>
        <translation>Die Kernel des Compilers bleiben, und das Budget gilt für das, was sie halten; das ist bekannt, ehe einer übersetzt wird. Werte stimmen bis auf Rundung überein. Mit graph=&quot;step.json&quot; lässt sich hier öffnen, was geplant wurde.</translation>
    </message>
    <message>
        <source>A loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Trainer, Lightning</source>
        <translation>Trainer, Lightning</translation>
    </message>
    <message>
        <source>Inductor&apos;s kernels</source>
        <translation>Kernel von Inductor</translation>
    </message>
    <message>
        <source>What runs the step</source>
        <translation>Was den Schritt ausführt</translation>
    </message>
</context>
<context>
    <name>remat::studio::TrainingCard</name>
    <message>
        <source>Other: %1</source>
        <translation>Andere: %1</translation>
    </message>
</context>
<context>
    <name>remat::studio::UiScale</name>
    <message>
        <source>Larger text and controls</source>
        <translation>Text und Bedienelemente größer</translation>
    </message>
    <message>
        <source>Smaller text and controls</source>
        <translation>Text und Bedienelemente kleiner</translation>
    </message>
    <message>
        <source>Text and controls at 100 %</source>
        <translation>Text und Bedienelemente mit 100 %</translation>
    </message>
    <message>
        <source>Makes everything 10 % larger</source>
        <translation>Macht alles 10 % größer</translation>
    </message>
    <message>
        <source>Makes everything 10 % smaller</source>
        <translation>Macht alles 10 % kleiner</translation>
    </message>
    <message>
        <source>Makes everything as large as the desktop asks for</source>
        <translation>Macht alles so groß, wie der Desktop es vorgibt</translation>
    </message>
    <message>
        <source>Presenter size</source>
        <translation>Hörsaalgröße</translation>
    </message>
    <message>
        <source>Makes text and strokes large enough for a lecture room; again goes back</source>
        <translation>Macht Texte und Linien groß genug für den Hörsaal; noch einmal geht zurück</translation>
    </message>
</context>
<context>
    <name>remat::studio::ViewDeck</name>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
</context>
<context>
    <name>remat::studio::WindowSessions</name>
    <message>
        <source>Save the session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>Sessions (*.remat)</source>
        <translation>Sitzungen (*.remat)</translation>
    </message>
    <message>
        <source>The session is in %1.</source>
        <translation>Die Sitzung ist in %1.</translation>
    </message>
    <message>
        <source>Close the window?</source>
        <translation>Fenster schließen?</translation>
    </message>
    <message>
        <source>What is open cannot be kept for the next time: %1</source>
        <translation>Was offen ist, lässt sich nicht für das nächste Mal aufheben: %1</translation>
    </message>
    <message>
        <source>Plans that are in no file are lost when the window is closed.</source>
        <translation>Pläne, die in keiner Datei sind, gehen mit dem Fenster verloren.</translation>
    </message>
    <message>
        <source>Save the session elsewhere…</source>
        <translation>Sitzung anderswo speichern …</translation>
    </message>
    <message>
        <source>Close and lose them</source>
        <translation>Schließen und verlieren</translation>
    </message>
    <message>
        <source>Nothing was left behind that could be reopened.</source>
        <translation>Es ist nichts übrig, was sich wieder öffnen ließe.</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
</context>
<context>
    <name>remat::studio::WordCard</name>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Show me what %1 means, in a lesson</source>
        <translation>In einer Lektion zeigen, was %1 bedeutet</translation>
    </message>
</context>
<context>
    <name>remat::studio::WordHints</name>
    <message>
        <source>What do the words here mean?</source>
        <translation>Was bedeuten die Wörter hier?</translation>
    </message>
    <message>
        <source>A sentence for each word of the glossary where the keyboard is; the mouse on a word shows the same</source>
        <translation>Ein Satz zu jedem Wort des Glossars, wo die Tastatur ist; die Maus auf einem Wort zeigt dasselbe</translation>
    </message>
</context>
<context>
    <name>remat::studio::Workspace</name>
    <message>
        <source>Modules and plans</source>
        <translation>Module und Pläne</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Show modules</source>
        <translation>Module zeigen</translation>
    </message>
    <message>
        <source>Show the partition</source>
        <translation>Zerlegung zeigen</translation>
    </message>
</context>
</TS>
