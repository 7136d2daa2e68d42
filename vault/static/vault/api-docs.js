// Starts Swagger UI on the vault's own document. A file of its own, since the content policy forbids inline scripts.
"use strict";

const place = document.getElementById("swagger-ui");
window.SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  // The validator would be a host outside.
  validatorUrl: null,
});
