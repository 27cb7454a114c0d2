import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { CLIENT_ID } from './oidc-server.ts'

type How = { foreignKey?: boolean; unsigned?: boolean; noToken?: boolean; status?: number }

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwt(claims: object, key: KeyObject | null): string {
  const text = `${base64({ alg: key === null ? 'none' : 'RS256', kid: 'one' })}.${base64(claims)}`
  return `${text}.${key === null ? '' : sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}

/**
 * Starts a provider that says what a test wants: `claims` are added to the usual ones and replace them, `iat` and `exp`
 * in seconds from now. Returns its address.
 */
export async function forger(claims: Record<string, unknown>, how: How = {}): Promise<string> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let nonce = ''
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const answer = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return answer({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
      case '/jwks':
        return answer({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] })
      case '/auth': {
        nonce = url.searchParams.get('nonce') ?? ''
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        back.searchParams.set('code', 'code')
        return void response.writeHead(303, { location: back.href }).end()
      }
      case '/token': {
        await drained(request)
        if (how.status !== undefined) return answer({ error: 'server_error' }, how.status)
        const now = Math.floor(Date.now() / 1000)
        const { iat = 0, exp = 300, ...others } = claims
        const all = {
          iss: issuer,
          aud: CLIENT_ID,
          sub: 'ada',
          nonce,
          preferred_username: 'ada',
          groups: ['platform'],
          ...others,
          iat: now + Number(iat),
          exp: now + Number(exp),
        }
        const key = how.unsigned ? null : how.foreignKey ? foreign.privateKey : own.privateKey
        return answer({
          access_token: 'x',
          token_type: 'Bearer',
          ...(!how.noToken && { id_token: jwt(all, key) }),
        })
      }
      default:
        return answer({}, 404)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}

async function drained(request: IncomingMessage): Promise<void> {
  for await (const _ of request);
}
