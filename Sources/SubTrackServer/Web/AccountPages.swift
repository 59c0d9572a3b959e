import NIOCore
import NIOHTTP1

/// The two pages that links in mails lead to. A button confirms or resets. Because programs that open links for their
/// reader press no button.
///
/// The token stands behind `#` and so is in no request of a page, no log and no `Referer`.
enum AccountPages {
    /// The page or script at a path; nil when there is none.
    /// - Parameter path: the decoded segments after the tenant's.
    static func response(to request: ServerRequest, path: [String]) -> ServerResponse? {
        guard path.count == 2, path[0] == "account", request.method == .GET || request.method == .HEAD else {
            return nil
        }
        switch path[1] {
        case "verify", "reset": return response(page(path[1]), "text/html; charset=utf-8")
        case "account.js": return response(script, "text/javascript; charset=utf-8")
        case "account.css": return response(style, "text/css; charset=utf-8")
        default: return nil
        }
    }

    private static func response(_ text: String, _ type: String) -> ServerResponse {
        let policy =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'"
        return ServerResponse(
            status: .ok,
            headers: [
                "content-type": type, "cache-control": "no-cache", "content-security-policy": policy,
                "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
            ], body: ByteBuffer(string: text))
    }

    private static func page(_ purpose: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>SubTrackIt</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="stylesheet" href="account.css"><script src="account.js" defer></script></head>
        <body data-purpose="\(purpose)"><main>
        <h1>SubTrackIt</h1>
        <noscript>Please allow scripts for this page, or enter the code of the mail in the app.</noscript>
        <p id="others" hidden></p>
        <form id="form" hidden>
        <label id="label" for="password" hidden></label>
        <input id="password" type="password" autocomplete="new-password" maxlength="1024" hidden>
        <button id="button"></button>
        </form>
        <p id="message" role="status"></p>
        </main></body></html>

        """
    }

    private static let style = """
        body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 0; background: Canvas; color: CanvasText }
        main { max-width: 26rem; margin: 15vh auto; padding: 0 1rem }
        label, input, button { display: block; font: inherit; width: 100%; box-sizing: border-box; margin: .5rem 0 }
        input, button { padding: .6rem }
        #others, #message { overflow-wrap: anywhere }
        [hidden] { display: none }

        """

    private static let script = """
        "use strict";
        const words = {
          en: { verify: "Confirm my address", reset: "Change my password", label: "New password",
                verified: "Your address is confirmed.", changed: "Your password was changed. Sign in on your devices.",
                failed: "It did not work: ", hint: "Confirm only if you registered this address yourself.",
                confirms: "The same account has these addresses too. Confirm only if they are yours as well: ",
                keepsUser: "These addresses will not lead to your account any more: ",
                leavesUser: "The address will lead to a new, empty account. These addresses keep the former one: ",
                removed: "These addresses do not lead to your account any more: ",
                stayed: "The address leads to a new, empty account. These addresses keep the former one: " },
          de: { verify: "Meine Adresse bestätigen", reset: "Passwort ändern", label: "Neues Passwort",
                verified: "Deine Adresse ist bestätigt.", changed: "Dein Passwort wurde geändert. Melde dich auf deinen Geräten an.",
                failed: "Das hat nicht geklappt: ", hint: "Bestätige nur, was du selbst angemeldet hast.",
                confirms: "Dasselbe Konto hat auch diese Adressen. Bestätige nur, wenn auch sie dir gehören: ",
                keepsUser: "Diese Adressen führen danach nicht mehr zu deinem Konto: ",
                leavesUser: "Die Adresse führt danach zu einem neuen, leeren Konto. Das frühere behalten diese Adressen: ",
                removed: "Diese Adressen führen nicht mehr zu deinem Konto: ",
                stayed: "Die Adresse führt jetzt zu einem neuen, leeren Konto. Das frühere behalten diese Adressen: " },
          zh: { verify: "确认我的地址", reset: "更改密码", label: "新密码",
                verified: "您的地址已确认。", changed: "您的密码已更改，请在您的设备上重新登录。", failed: "操作未成功：",
                hint: "请仅确认您本人的注册。",
                confirms: "同一账户还有以下地址，仅当它们也属于您时才请确认：",
                keepsUser: "此后以下地址将不再关联您的账户：",
                leavesUser: "该地址将关联一个新的空账户，原账户由以下地址保留：",
                removed: "以下地址不再关联您的账户：",
                stayed: "该地址现在关联一个新的空账户，原账户由以下地址保留：" }
        };
        const language = navigator.languages.map(l => l.slice(0, 2)).find(l => l in words) ?? "en";
        const say = words[language];
        const $ = id => document.getElementById(id);
        const reset = document.body.dataset.purpose === "reset";
        const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
        document.documentElement.lang = language;
        // The token is not to stay in the history.
        history.replaceState(null, "", location.pathname);
        $("button").textContent = reset ? say.reset : say.verify;
        $("label").textContent = say.label;
        $("label").hidden = $("password").hidden = !reset;
        $("form").hidden = false;
        const send = (path, method, body) => fetch("../v1/" + path, {
          method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body)
        });
        // What the button will do is told before it is pressed. Without an answer the mail has said it.
        send("account-links", "POST", { token, purpose: reset ? "reset" : "verify" }).then(async answer => {
          if (!answer.ok || $("form").hidden) return;
          const link = await answer.json();
          $("others").textContent = say[link.effect] + link.otherAccounts.join(", ");
          $("others").hidden = link.otherAccounts.length === 0;
        }, () => {});
        $("message").textContent = reset ? "" : say.hint;
        $("form").addEventListener("submit", async event => {
          event.preventDefault();
          $("button").disabled = true;
          try {
            const answer = reset
              ? await send("password-resets", "PUT", { token, newPassword: $("password").value })
              : await send("email-verifications", "POST", { token });
            if (!answer.ok) throw new Error((await answer.json()).detail);
            $("form").hidden = $("others").hidden = true;
            const done = reset ? await answer.json() : {};
            const told = done.removedAccounts?.length > 0 ? say.removed + done.removedAccounts.join(", ")
              : done.otherAccounts?.length > 0 ? say.stayed + done.otherAccounts.join(", ") : "";
            $("message").textContent = [reset ? say.changed : say.verified, told].join(" ").trim();
          } catch (error) {
            $("message").textContent = say.failed + error.message;
            $("button").disabled = false;
          }
        });

        """
}
