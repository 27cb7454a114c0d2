import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Access } from './access.ts'
import type { PeopleSettings } from '../../process/people-settings.ts'
import { Problem } from '../ports.ts'
import { sendProblem } from '../routing/serve-route.ts'

const STYLE = `
body { max-width: 60ch; margin: 15vh auto 0; padding: 0 16px; font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 22px; line-height: 1.3; }
svg { width: 40px; height: 40px; }
.wrong { padding-left: 12px; border-left: 3px solid light-dark(#b3261e, #ff8a80); }
code { padding: 1px 4px; border-radius: 3px; background: color-mix(in srgb, currentColor 10%, transparent); font: 14px ui-monospace, monospace; }
`

/** The dashboard's icon (`favicon.svg` of the dashboard): the page may load nothing. */
const MARK = `<svg viewBox="0 0 32 32" aria-hidden="true"><path stroke="#4a86e8" d="M8 2v28M16 2v28M24 2v28" stroke-width="2" opacity=".45"/><g fill="#4a86e8"><circle cx="8" cy="11" r="4.5"/><circle cx="16" cy="20" r="4.5"/><circle cx="24" cy="11" r="4.5"/></g></svg>`

const page = (why: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Beadloom: sign in</title>
<style>${STYLE}</style>
<main>
${MARK}
<h1>Sign in to Beadloom</h1>
${why}
<p>Open the link with <code>?token=…</code> that the server printed in its terminal.
To print it again, run <code>npx beadloom status</code> where Beadloom is installed.</p>
</main>
</html>
`

/** No word of the request is repeated: the address may be somebody else's. */
const SIGNED_OUT = page('<p>You’re not signed in, or your sign-in has expired.</p>')
const WRONG_TOKEN = page(
  '<p class="wrong" role="alert">The token in this link is wrong. It may belong to another server or be cut off.</p>',
)

/** Signed in elsewhere, by a proxy in front. */
const NO_NAME = page('<p>You’re not signed in: your sign-in has to come through the proxy in front of this server.</p>')

const NO_ROLE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Beadloom: no role</title>
<style>${STYLE}</style>
<main>
${MARK}
<h1>You have no role here</h1>
<p>You’re signed in as <strong>NAME</strong>, but this server gives you no role.
Ask an admin of this server to name you or one of your groups under <code>people.roles</code> in its <code>config.json</code>.</p>
</main>
</html>
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Nothing else is served without signing in, so the page brings its few lines of style, allowed by their hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const askToSignIn = (response: Response, body = SIGNED_OUT): void =>
  void response.status(401).setHeader('Content-Security-Policy', POLICY).type('html').send(body)

const sayNoRole = (response: Response, name: string): void =>
  void response
    .status(403)
    .setHeader('Content-Security-Policy', POLICY)
    .type('html')
    .send(NO_ROLE.replace('NAME', () => escaped(name)))

/** `GET /?token=…` exchanges the token for a cookie and removes it from the address bar and the history. */
export function exchangeToken(access: Access): RequestHandler {
  return (request, response, next) => {
    const { token } = request.query
    if (request.path !== '/' || request.method !== 'GET' || token === undefined) return next()
    if (typeof token !== 'string' || !access.isToken(token)) return askToSignIn(response, WRONG_TOKEN)
    response.setHeader('Set-Cookie', access.cookie())
    response.redirect(303, '/')
  }
}

export function requireProof(access: Access, people: PeopleSettings | null = null): RequestHandler {
  const signIn = people?.header ? NO_NAME : SIGNED_OUT
  return (request, response, next) => {
    const proof = access.proof(request)
    if (proof?.person.role === null && !isForPrograms(request)) return sayNoRole(response, proof.person.name)
    if (proof) return next()
    if (!isForPrograms(request)) return askToSignIn(response, signIn)
    response.setHeader('WWW-Authenticate', 'Bearer realm="beadloom"')
    const message = 'Send `Authorization: Bearer …` with the token from the file `token` in the data folder.'
    sendProblem(response, new Problem(401, 'unauthorized', message))
  }
}

export const isForPrograms = ({ path }: Request): boolean => /^\/(api|metrics|healthz|ws)(\/|$)/.test(path)
