'use strict';
var player = (function () {
  // data.op, data.again, data.freed, data.total: one entry for each computation. data.ranges: storage, first and last
  // computation, category.
  function held(data, at) {
    var found = data.ranges.filter(function (r) { return r[1] <= at && at <= r[2] && data.storages[r[0]][1] > 0; });
    return found.sort(function (a, b) { return data.storages[b[0]][1] - data.storages[a[0]][1] || a[0] - b[0]; });
  }
  function isGoal(data, goal, at) {
    return goal === 'again' ? data.again[at] === 1 : goal === 'free' ? data.freed[at] === 1 : at === data.peak;
  }
  function goalFrom(data, goal, at, by) {
    for (var i = at + by; i >= 0 && i < data.op.length; i += by) if (isGoal(data, goal, i)) return i;
    return at;
  }
  function clamped(data, at) { return Math.max(0, Math.min(data.op.length - 1, at)); }
  // The computation after `at` while it plays: round and round within a range, else to the end.
  function following(data, at, range) {
    if (range) return at < range[0] || at >= range[1] ? range[0] : at + 1;
    return at + 1 < data.op.length ? at + 1 : -1;
  }
  // A range with one end moved; an end on the wrong side takes the other with it.
  function rangeWith(data, range, end, at) {
    var now = range ? range.slice() : [0, data.op.length - 1];
    now[end] = at;
    if (now[0] > now[1]) now[1 - end] = at;
    return now;
  }
  // Per op: 0 nothing of it is held, 1 held, 2 held and computed again, 3 computed right now.
  function states(data, at) {
    var result = data.ops.map(function () { return 0; });
    data.ranges.forEach(function (r) {
      var op = data.storages[r[0]][2];
      if (op >= 0 && r[1] <= at && at <= r[2]) result[op] = Math.max(result[op], r[4] ? 2 : 1);
    });
    result[data.op[at]] = 3;
    return result;
  }
  function sampleAt(data, x) {
    var i = 0;
    while (i + 1 < data.x.length && (data.x[i] + data.x[i + 1]) / 2 < x) ++i;
    return i;
  }
  function bytesText(bytes) {
    var units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'], unit = 0;
    while (bytes >= 1000 && unit < 4) { bytes /= 1024; ++unit; }
    return (unit ? bytes.toPrecision(3) : String(bytes)) + ' ' + units[unit];
  }

  function start() {
    var data = JSON.parse(document.getElementById('data').textContent);
    var SVG = 'http://www.w3.org/2000/svg', at = 0, timer = null, range = null;
    function byId(id) { return document.getElementById(id); }
    function shape(kind, parent, attributes) {
      var node = document.createElementNS(SVG, kind);
      Object.keys(attributes).forEach(function (key) { node.setAttribute(key, attributes[key]); });
      return parent.appendChild(node);
    }
    var memory = document.querySelector('#memory svg');
    var cursor = shape('line', memory, {y1: 22, y2: 270, 'class': 'cursor'});
    var cells = data.ops.map(function (op) {
      var box = shape('rect', byId('graph'), {x: op[1], y: op[2], width: op[3], height: 22, 'class': 's0'});
      shape('title', box, {}).textContent = op[0];
      return box;
    });
    function show() {
      byId('slider').value = at;
      byId('number').textContent = 'Step ' + data.step[at] + ' of ' + data.steps + ' · ' + bytesText(data.total[at]);
      byId('story').textContent = data.story[at];
      cursor.setAttribute('x1', data.x[at]);
      cursor.setAttribute('x2', data.x[at]);
      states(data, at).forEach(function (state, op) { cells[op].setAttribute('class', 's' + state); });
      var list = byId('held'), all = held(data, at);
      list.textContent = '';
      all.slice(0, 12).forEach(function (r) {
        var row = list.appendChild(document.createElement('li')), storage = data.storages[r[0]];
        var swatch = row.appendChild(document.createElement('i'));
        swatch.className = 'c' + r[3];
        row.appendChild(document.createTextNode(storage[0]));
        row.appendChild(document.createElement('b')).textContent = bytesText(storage[1]);
      });
      if (all.length > 12) list.appendChild(document.createElement('li')).textContent = 'and ' + (all.length - 12) + ' more';
      byId('range').textContent = range ? 'Loop: computation ' + (range[0] + 1) + ' to ' + (range[1] + 1) : '';
    }
    function go(to) { at = clamped(data, to); show(); }
    function pause() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      byId('play').textContent = 'Play';
    }
    function play() {
      if (at + 1 >= data.op.length && !range) at = 0;
      timer = setInterval(function () {
        var next = following(data, at, range);
        if (next < 0) pause(); else go(next);
      }, 1000 / Number(byId('speed').value));
      byId('play').textContent = 'Pause';
    }
    var acts = {
      play: function () { if (timer === null) play(); else pause(); },
      back: function () { pause(); go(at - 1); },
      forward: function () { pause(); go(at + 1); },
      again: function (by) { pause(); go(goalFrom(data, 'again', at, by)); },
      free: function (by) { pause(); go(goalFrom(data, 'free', at, by)); },
      peak: function () { pause(); go(data.peak); },
      from: function () { range = rangeWith(data, range, 0, at); show(); },
      to: function () { range = rangeWith(data, range, 1, at); show(); },
      all: function () { range = null; show(); }
    };
    Object.keys(acts).forEach(function (id) { byId(id).addEventListener('click', function () { acts[id](1); }); });
    byId('slider').addEventListener('input', function () { pause(); go(Number(this.value)); });
    byId('speed').addEventListener('change', function () { if (timer !== null) { pause(); play(); } });
    memory.addEventListener('click', function (event) {
      var box = memory.getBoundingClientRect();
      pause();
      go(sampleAt(data, (event.clientX - box.left) * 960 / box.width));
    });
    var keys = {' ': 'play', ArrowLeft: 'back', ArrowRight: 'forward', r: 'again', f: 'free', p: 'peak', '[': 'from',
                ']': 'to', '0': 'all'};
    document.addEventListener('keydown', function (event) {
      var target = event.target.tagName, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      var own = target === 'SELECT' || (target === 'BUTTON' && key === ' ');
      if (own || event.ctrlKey || event.altKey || event.metaKey || !keys[key]) return;
      event.preventDefault();
      acts[keys[key]](event.shiftKey ? -1 : 1);
    });
    show();
  }
  return {held: held, goalFrom: goalFrom, following: following, rangeWith: rangeWith, states: states,
          sampleAt: sampleAt, bytesText: bytesText, clamped: clamped, start: start};
})();
if (typeof document !== 'undefined') player.start();
