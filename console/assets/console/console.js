// Shortens the way; every page works without it. Keys: j k move, Enter opens, / finds, r x decide, ? shows the keys.
(function () {
  'use strict'
  document.documentElement.addEventListener('htmx:afterSwap', function () { selected = -1 })
  let selected = -1
  const KEYS_OFF = 'vault-keys-off'

  function rows () { return Array.from(document.querySelectorAll('[data-row]')) }

  function select (index) {
    const all = rows()
    if (!all.length) return
    selected = Math.max(0, Math.min(all.length - 1, index))
    all.forEach(function (row, at) { row.classList.toggle('selected', at === selected) })
    const link = all[selected].querySelector('a')
    if (link) link.focus()
  }

  function focus (selector) {
    const element = document.querySelector(selector)
    if (element) { element.focus(); element.scrollIntoView({ block: 'center' }) }
    return Boolean(element)
  }

  const actions = {
    j: function () { select(selected + 1) },
    k: function () { select(selected - 1) },
    '/': function () { focus('[data-find]') },
    r: function () { focus('[data-key="r"]') },
    x: function () { focus('[data-key="x"]') },
    '?': function () { const keys = document.querySelector('.keys'); if (keys) keys.open = !keys.open }
  }

  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem(KEYS_OFF)) return
    if (event.target.closest('input, select, textarea, [contenteditable]')) return
    const act = actions[event.key]
    if (act) { event.preventDefault(); act() }
  })

  document.addEventListener('DOMContentLoaded', function () {
    document.body.classList.add('scripted')
    const toggle = document.querySelector('[data-keys-toggle]')
    if (toggle) {
      toggle.checked = !localStorage.getItem(KEYS_OFF)
      toggle.addEventListener('change', function () {
        if (toggle.checked) localStorage.removeItem(KEYS_OFF)
        else localStorage.setItem(KEYS_OFF, '1')
      })
    }
    document.querySelectorAll('[data-print]').forEach(function (button) {
      button.addEventListener('click', function () { window.print() })
    })
    document.querySelectorAll('form').forEach(function (form) {
      // A double click must not send a decision twice; the server refuses the second one in any case.
      form.addEventListener('submit', function (event) {
        if (form.dataset.sent) event.preventDefault()
        form.dataset.sent = '1'
      })
    })
  })
  window.addEventListener('pageshow', function () {
    document.querySelectorAll('form').forEach(function (form) { delete form.dataset.sent })
  })
})()
