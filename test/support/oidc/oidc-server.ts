import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { cookieName } from '@beadloom/server/src/http/access/cookies.ts'
import { startHttp, TOKEN } from '@beadloom/server/src/compose/testing/start-http.ts'
import { createOidc } from '@beadloom/server/src/people/oidc.ts'
import { peopleSettings, readPeople } from '@beadloom/server/src/process/settings/people-settings.ts'
import { openTestStore } from '@beadloom/server/src/store/testing.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import type { Browser } from '../browser-with-cookies.ts'

export const CLIENT_ID = 'beadloom'
export const CLIENT_SECRET = 'a-secret-that-is-in-no-log-0123456789'

/** The API over `apiWorld`; people sign in at this provider. `more`: the claim with their names. */
export async function oidcServer(issuer: string, more: { nameClaim?: string } = { nameClaim: 'preferred_username' }) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const people = readPeople(
    peopleSettings.parse({
      address: url,
      oidc: { issuer, clientId: CLIENT_ID, scopes: ['openid', 'profile', 'groups'], ...more },
      roles: { viewer: { groups: ['everybody'] }, admin: { groups: ['platform'] } },
    }),
  )
  if (!people?.oidc) throw new Error('no settings')
  const folder = mkdtempSync(join(tmpdir(), 'oidc-'))
  const clock = new HandClock()
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: () => 0.5 })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const provider = createOidc({
    settings: people.oidc,
    secret: CLIENT_SECRET,
    redirectUri: `${url}/sign-in/callback`,
    signedOutUri: `${url}/signed-out`,
    now: () => clock.now(),
  })
  const { noted, reported, ask } = await startHttp({ peopleSettings: people, port, clock, signIns: store, provider })
  return {
    url,
    /** Sends one request as no page does. Returns its status and redirect. */
    ask: async (path: string, headers: Record<string, string>) => {
      const { status, headers: answered } = await ask(path, { headers, bearer: false })
      return { status, location: answered.location ?? null }
    },
    clock,
    noted,
    reported,
    token: TOKEN,
    secret: CLIENT_SECRET,
    sessionCookie: `${cookieName(TOKEN)}-session`,
    /** Cookies that this server set, not the provider. */
    setCookies: (browser: Browser) => browser.setCookies.filter((line) => line.startsWith(cookieName(TOKEN))),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
