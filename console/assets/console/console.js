// Shortens the way; every page works without it. The keys are those of the list under "Keys", each also a button.
(function () {
  'use strict'
  const KEYS_OFF = 'vault-keys-off'
  const TYPING = 'input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]'
  let selected = -1

  function rows () { return Array.from(document.querySelectorAll('[data-row]')) }

  function select (index) {
    const all = rows()
    if (!all.length) return
    selected = Math.max(0, Math.min(all.length - 1, index))
    all.forEach(function (row, at) { row.classList.toggle('selected', at === selected) })
    const link = all[selected].querySelector('a')
    if (link) link.focus()
  }

  // What a key is for on this page: in the selected row of a list, else anywhere.
  function find (key) {
    const row = rows()[selected]
    return (row && row.querySelector('[data-key="' + key + '"]')) || document.querySelector(':not([data-row] *)[data-key="' + key + '"]')
  }

  // A field is gone to, a link or a button is pressed.
  function use (key) {
    const element = find(key)
    if (!element) return
    if (element.matches('a, button')) { element.click(); return }
    element.focus()
    element.scrollIntoView({ block: 'center' })
  }

  function move (key, step) { if (rows().length) select(selected + step); else use(key) }

  function box () { const row = rows()[selected]; return row && row.querySelector('[data-mark]') }

  function mark (checked) {
    const mine = box()
    if (!mine) return
    mine.checked = checked === undefined ? !mine.checked : checked
    count()
  }

  function count () {
    const marks = document.querySelectorAll('[data-mark]:checked').length
    document.querySelectorAll('[data-marked]').forEach(function (place) { place.textContent = marks })
  }

  const actions = {
    j: function () { move('j', 1) },
    k: function () { move('k', -1) },
    x: function () { if (box()) mark(); else use('x') },
    s: function () { if (rows().length) { mark(false); select(selected + 1) } else use('s') },
    a: function () { use('a') },
    r: function () { use('r') },
    '/': function () { const field = document.querySelector('[data-find]'); if (field) { field.focus(); field.scrollIntoView({ block: 'center' }) } },
    '?': function () { const keys = document.querySelector('.keys'); if (keys) keys.open = !keys.open }
  }

  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem(KEYS_OFF)) return
    if (event.target.closest(TYPING)) return
    const act = actions[event.key]
    if (act) { event.preventDefault(); act() }
  })

  document.addEventListener('click', function (event) {
    const pressed = event.target.closest('[data-press]')
    if (pressed) actions[pressed.dataset.press]()
    if (event.target.closest('[data-print]')) window.print()
  })

  document.addEventListener('change', function (event) {
    if (event.target.matches('[data-mark-all]')) {
      document.querySelectorAll('[data-mark]').forEach(function (each) { each.checked = event.target.checked })
    }
    if (event.target.matches('[data-keys-toggle]')) {
      if (event.target.checked) localStorage.removeItem(KEYS_OFF)
      else localStorage.setItem(KEYS_OFF, '1')
    }
    count()
  })

  // A double click must not send a decision twice; the server refuses the second one in any case.
  document.addEventListener('submit', function (event) {
    const form = event.target
    if (form.method === 'get') return
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = '1'
  })

  document.addEventListener('htmx:afterSwap', function () { selected = -1; count() })
  document.addEventListener('DOMContentLoaded', function () {
    document.body.classList.add('scripted')
    const toggle = document.querySelector('[data-keys-toggle]')
    if (toggle) toggle.checked = !localStorage.getItem(KEYS_OFF)
    count()
  })
  window.addEventListener('pageshow', function () {
    document.querySelectorAll('form').forEach(function (form) { delete form.dataset.sent })
  })
})()
