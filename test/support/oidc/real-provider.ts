import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type JWK } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET } from './oidc-server.ts'

type Claims = { preferred_username: string; groups: string[] }

const newKeys = () => {
  const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
  return { keys: [{ ...jwk, use: 'sig', alg: 'RS256' }] }
}

/** `oidc-provider` on loopback. It signs everybody in as the person `signsIn`, without asking; null refuses. */
export async function realProvider(people: Record<string, Claims>, { inIdToken = true } = {}) {
  let who: string | null = null
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function begin(): void {
    const configuration: Configuration = {
      jwks: newKeys(),
      cookies: { keys: ['test'] },
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          // Any address: the server's port is known only later.
          redirect_uris: ['http://127.0.0.1/sign-in/callback'],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      pkce: { required: () => true },
      scopes: ['openid', 'profile', 'email', 'groups'],
      claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'], groups: ['groups'] },
      conformIdTokenClaims: !inIdToken,
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
      findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
      loadExistingGrant: async ({ oidc }) => {
        const accountId = oidc.session?.accountId
        const clientId = oidc.client?.clientId
        if (accountId === undefined || clientId === undefined) return undefined
        const grant = new oidc.provider.Grant({ accountId, clientId })
        grant.addOIDCScope('openid profile email groups')
        await grant.save()
        return grant
      },
    }
    const provider = new Provider(issuer, configuration)
    const redirects = (uri: string) => /^http:\/\/127\.0\.0\.1:\d+\/sign-in\/callback$/.test(uri)
    provider.Client.prototype.redirectUriAllowed = redirects
    provider.Client.prototype.postLogoutRedirectUriAllowed = () => true
    const serve = provider.callback()
    handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void serve(request, response)
      const result = who === null ? { error: 'access_denied' } : { login: { accountId: who } }
      void provider.interactionFinished(request, response, result)
    }
  }

  begin()
  return {
    issuer,
    signsIn: (id: string | null) => void (who = id),
    /** Starts another provider at the same address, without the first one's keys. */
    changeKeys: async () => begin(),
  }
}
