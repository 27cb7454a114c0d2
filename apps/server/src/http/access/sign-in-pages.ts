import { createHash } from 'node:crypto'
import type { Response } from 'express'

const STYLE = `
body { max-width: 60ch; margin: 15vh auto 0; padding: 0 16px; font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 22px; line-height: 1.3; }
svg { width: 40px; height: 40px; }
.wrong { padding-left: 12px; border-left: 3px solid light-dark(#b3261e, #ff8a80); }
.go { display: inline-block; padding: 6px 14px; border-radius: 6px; background: light-dark(#1a4fb5, #8ab4ff); color: light-dark(#fff, #10131a); text-decoration: none; font-weight: 600; }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; }
label { flex: 1 1 26ch; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: 6px 10px; border: 1px solid light-dark(#6b7280, #9aa3b2); border-radius: 6px; background: transparent; font: inherit; }
button { border: 0; font: inherit; cursor: pointer; }
code { padding: 1px 4px; border-radius: 3px; background: color-mix(in srgb, currentColor 10%, transparent); font: 14px ui-monospace, monospace; }
`

/** The dashboard's icon (its `favicon.svg`), inline because the page may load nothing. */
const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><path stroke="#4a86e8" d="M8 2v28M16 2v28M24 2v28" stroke-width="2" opacity=".45"/><g fill="#4a86e8"><circle cx="8" cy="11" r="4.5"/><circle cx="16" cy="20" r="4.5"/><circle cx="24" cy="11" r="4.5"/></g></svg>`

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Beadloom: ${title.toLowerCase()}</title>
<style>${STYLE}</style>
<main>
${MARK}
<h1>${title}</h1>
${body}
</main>
</html>
`

/** Without signing in nothing else is served, so the page contains its few lines of style, allowed by their hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Sends to this same page, whose address says where the person wanted to go. */
const LINK = `<form><label>Link or token <input name="token" type="password" autocomplete="off" required autofocus></label> <button class="go">Sign in</button></form>
<p>Open the link with <code>?token=…</code> that the server printed in its terminal, or paste it here.
To print it again, run <code>npx beadloom status</code> where Beadloom is installed.</p>`
const GO = '<p><a class="go" href="/sign-in">Sign in</a></p>'
const wrong = (text: string): string => `<p class="wrong" role="alert">${text}</p>`

/**
 * Repeats no word of the request: its address may come from a stranger. `text` is ours, or a name that is shown as
 * text.
 */
const pages = {
  token: () => page('Sign in to Beadloom', `<p>You’re not signed in, or your sign-in has expired.</p>\n${LINK}`),
  'wrong-token': () =>
    page(
      'Sign in to Beadloom',
      `${wrong('The token in this link is wrong. It may belong to another server or be cut off.')}\n${LINK}`,
    ),
  proxy: () =>
    page(
      'Sign in to Beadloom',
      '<p>You’re not signed in: your sign-in has to come through the proxy in front of this server, and it has told no name.</p>',
    ),
  oidc: () => page('Sign in to Beadloom', `<p>You’re not signed in, or your sign-in has expired.</p>\n${GO}`),
  failed: (text: string) => page('Signing in failed', `${wrong(escaped(text))}\n${GO.replace('Sign in', 'Try again')}`),
  busy: () => page('One moment', `<p>Many people are signing in right now.</p>\n${GO.replace('Sign in', 'Try again')}`),
  'signed-out': () =>
    page('Signed out', `<p>You’re signed out of this server.</p>\n${GO.replace('Sign in', 'Sign in again')}`),
  'no-role': (name: string) =>
    page(
      'You have no role here',
      `<p>You’re signed in as <strong>${escaped(name)}</strong>, but this server gives you no role.
Ask an admin of this server to name you or one of your groups under <code>people.roles</code> in its <code>config.json</code>.</p>`,
    ),
}

export function sendPage(response: Response, status: number, kind: keyof typeof pages, text = ''): void {
  response.status(status).setHeader('Content-Security-Policy', POLICY).type('html').send(pages[kind](text))
}
