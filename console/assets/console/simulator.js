// Shows what a slider stands at while it moves; the ranking itself comes from the server.
(function () {
  'use strict'
  document.addEventListener('input', function (event) {
    const slider = event.target
    if (!slider.matches('.simulator input[type=range]')) return
    const shown = document.querySelector('output[for="' + slider.id + '"]')
    if (shown) shown.textContent = slider.value + (slider.dataset.unit ? ' ' + slider.dataset.unit : '')
  })
})()
