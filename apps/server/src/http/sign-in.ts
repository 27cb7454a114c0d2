import type { Request, RequestHandler } from 'express'
import type { Access } from './access.ts'
import { Problem } from './ports.ts'
import { sendProblem } from './serve-route.ts'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Beadloom: sign in</title>
<h1>Sign in to Beadloom</h1>
<p>This browser has no pass for this server, or it has run out.</p>
<p>Open the link with <code>?token=…</code> that the server printed in its terminal.
<code>npx beadloom status</code>, in the checkout of Beadloom, prints it again.</p>
</html>
`

/** `GET /?token=…` exchanges the token for a cookie, and takes it out of the address bar and the history. */
export function exchangeToken(access: Access): RequestHandler {
  return (request, response, next) => {
    const { token } = request.query
    if (request.path !== '/' || request.method !== 'GET' || token === undefined) return next()
    if (typeof token !== 'string' || !access.isToken(token)) return void response.status(401).type('html').send(PAGE)
    response.setHeader('Set-Cookie', access.cookie())
    response.redirect(303, '/')
  }
}

export function requireProof(access: Access): RequestHandler {
  return (request, response, next) => {
    if (access.proof(request)) return next()
    if (!isForPrograms(request)) return void response.status(401).type('html').send(PAGE)
    response.setHeader('WWW-Authenticate', 'Bearer realm="beadloom"')
    const message = 'Send `Authorization: Bearer …` with the token from the file `token` in the data folder.'
    sendProblem(response, new Problem(401, 'unauthorized', message))
  }
}

export const isForPrograms = ({ path }: Request): boolean => /^\/(api|metrics|healthz|ws)(\/|$)/.test(path)
