"""One person at one browser, and what the browser complained of meanwhile."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from playwright.sync_api import Browser, ConsoleMessage

from tests.console.people import PASSWORD, at_the_console, code_of, make_member
from vault.models import StaffUser

# A page that answers with an error status says so in the browser's console; that is no fault of the page.
EXPECTED = "Failed to load resource: the server responded with a status of"
# Said in a form of our own, so that no breach of the policy hides behind a browser's choice of words.
POLICY_LISTENER = """document.addEventListener("securitypolicyviolation", breach =>
    console.error(`policy breached: ${breach.effectiveDirective} by ${breach.blockedURI}`));"""


class Visitor:
    """Drives one page; `problems` holds errors of scripts and breaches of the content security policy."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.problems: list[str] = []
        self._context = browser.new_context(**options)
        self._context.add_init_script(POLICY_LISTENER)
        self.page = self._context.new_page()
        self.page.set_default_timeout(30_000)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            self.problems.append(message.text)

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.url + path)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def sees(self, text: str) -> bool:
        self.page.get_by_text(text).first.wait_for()
        return True

    def sign_in(self, role: str) -> StaffUser:
        """Be somebody new of this role who has signed in, and stand at the console."""
        client = at_the_console(role)
        session = {"name": settings.SESSION_COOKIE_NAME, "value": client.session.session_key, "url": self.url}
        self._context.add_cookies([session])
        self.go("/console/")
        return client.staff

    def come_in(self, role: str) -> StaffUser:
        """The way that `sign_in` spares: past the door with password and code."""
        staff, secret = make_member(role)
        self.go("/accounts/login/")
        self.page.get_by_label("Email").fill(staff.email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.get_by_label("Code").fill(code_of(secret))
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.wait_for_url("**/console/**")
        return staff

    def confirm(self) -> None:
        """Give the password again."""
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Confirm")

    def has_authenticator(self) -> None:
        """Give the browser a built-in authenticator that always says yes."""
        devtools = self._context.new_cdp_session(self.page)
        devtools.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
        }  # fmt: skip
        devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    def close(self) -> None:
        self._context.close()
