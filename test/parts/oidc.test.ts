// @suite unit-long
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startHttp } from '@beadloom/server/src/compose/testing/start-http.ts'
import { Browser } from '../support/browser-with-cookies.ts'
import { forger } from '../support/oidc/forger.ts'
import { realProvider } from '../support/oidc/real-provider.ts'
import { oidcServer } from '../support/oidc/oidc-server.ts'

afterEach(() => vi.useRealTimers())

const PEOPLE = {
  ada: { preferred_username: 'ada', groups: ['platform'] },
  vera: { preferred_username: 'vera', groups: ['everybody'] },
  nobody: { preferred_username: 'eve', groups: [] },
  tricky: { preferred_username: 'token', groups: ['platform'] },
}

describe('with a real provider', () => {
  test('somebody signs in, returns to the page they wanted, has the role of their groups, and signs out', async () => {
    const provider = await realProvider(PEOPLE)
    const { url, noted, ask } = await oidcServer(provider.issuer)
    const browser = new Browser()
    provider.signsIn('ada')
    const { location } = await ask('/p/demo?view=list', { 'Sec-Fetch-Mode': 'navigate' })
    expect(location).toBe('/sign-in?to=%2Fp%2Fdemo%3Fview%3Dlist')
    const page = await browser.open(`${url}${location}`)
    expect(page.url).toMatch(/\/p\/demo\?view=list#page=[\w-]{43}$/)
    const me = await browser.json(`${url}/api/me`)
    expect(me).toMatchObject({ name: 'ada', role: 'admin', by: 'oidc', people: true })

    await browser.open(`${url}/api/projects/demo/pause`, { origin: url }, 'POST')
    expect(noted).toMatchObject([{ by: 'ada', via: 'oidc', action: 'project_paused', done: true }])

    const thief = browser.withCookiesAlone()
    expect((await thief.open(`${url}/api/me`)).status).toBe(401)
    expect((await thief.open(`${url}/sign-out`, { origin: url }, 'POST')).status).toBe(401)
    const out = await browser.open(`${url}/sign-out`, { origin: url }, 'POST')
    const { next } = JSON.parse(out.text) as { next: string }
    expect(next).toMatch(new RegExp(`^${provider.issuer}/session/end\\?.*post_logout_redirect_uri=`))
    expect((await browser.open(`${url}/api/me`)).status).toBe(401)
  })

  test.each([
    ['vera', 'viewer'],
    ['nobody', null],
  ])('%s has the role %s', async (id, role) => {
    const provider = await realProvider(PEOPLE)
    const { url } = await oidcServer(provider.issuer)
    const browser = new Browser()
    provider.signsIn(id)
    await browser.open(`${url}/sign-in`)
    const me = await browser.open(`${url}/api/me`)
    if (role === null) expect([me.status, me.text]).toEqual([403, expect.stringContaining('no role on this server')])
    else expect(JSON.parse(me.text)).toMatchObject({ role })
    const pause = await browser.open(`${url}/api/projects/demo/pause`, { origin: url }, 'POST')
    expect(pause.status).toBe(403)
  })

  test('claims that are missing in the ID token are asked for', async () => {
    const provider = await realProvider(PEOPLE, { inIdToken: false })
    const { url } = await oidcServer(provider.issuer)
    const browser = new Browser()
    provider.signsIn('ada')
    await browser.open(`${url}/sign-in`)
    expect(await browser.json(`${url}/api/me`)).toMatchObject({ name: 'ada', role: 'admin' })
  })

  test('the provider changes its keys, and people still sign in', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const provider = await realProvider(PEOPLE)
    const { url } = await oidcServer(provider.issuer)
    provider.signsIn('ada')
    await new Browser().open(`${url}/sign-in`)
    await provider.changeKeys()
    vi.setSystemTime(Date.now() + 120_000) // keys are not asked for again within a minute
    const browser = new Browser()
    await browser.open(`${url}/sign-in`)
    expect(await browser.json(`${url}/api/me`)).toMatchObject({ name: 'ada' })
  })

  test('nobody becomes the token by taking its name', async () => {
    const provider = await realProvider(PEOPLE)
    const { url } = await oidcServer(provider.issuer)
    const browser = new Browser()
    provider.signsIn('tricky')
    const page = await browser.open(`${url}/sign-in`)
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('cannot be used here')])
    expect((await browser.open(`${url}/api/me`)).status).toBe(401)
  })

  test('a person who refuses there is told so here, without a word of the provider', async () => {
    const provider = await realProvider(PEOPLE)
    const { url } = await oidcServer(provider.issuer)
    const browser = new Browser()
    provider.signsIn(null)
    const page = await browser.open(`${url}/sign-in`)
    expect(page.status).toBe(403)
    expect(page.text).toContain('did not sign you in')
    expect(page.text).not.toContain('access_denied')
  })
})

describe('a sign-in that comes back', () => {
  const began = async () => {
    const provider = await realProvider(PEOPLE)
    const server = await oidcServer(provider.issuer)
    provider.signsIn('ada')
    return { ...server, provider }
  }

  test('in another browser, a second time, or changed signs nobody in', async () => {
    const { url } = await began()
    const browser = new Browser()
    const callback = await browser.upTo(`${url}/sign-in`, '/sign-in/callback')
    const other = new Browser()
    expect((await other.open(callback)).status).toBe(403)
    const state = new URL(callback)
    state.searchParams.set('state', 'x'.repeat(43))
    const changed = new Browser(browser)
    expect((await changed.open(state.href)).status).toBe(403)
    const again = new Browser(browser)
    expect((await browser.open(callback)).status).toBe(503) // it leads to "/", where no dashboard is built
    expect(await browser.json(`${url}/api/me`)).toMatchObject({ name: 'ada' })
    expect((await browser.open(callback)).status).toBe(403)
    expect((await again.open(callback)).status).toBe(403) // the provider accepts a code only once
    for (const one of [other, changed, again]) expect((await one.open(`${url}/api/me`)).status).toBe(401)
  })

  test('with a session that somebody planted in the browser does not use it', async () => {
    const { url, sessionCookie } = await began()
    const browser = new Browser()
    browser.plant(url, sessionCookie, 'planted')
    await browser.open(`${url}/sign-in`)
    const id = browser.cookie(url, sessionCookie)
    expect(id).not.toBe('planted')
    const thief = new Browser()
    thief.plant(url, sessionCookie, 'planted')
    expect((await thief.open(`${url}/api/me`)).status).toBe(401)
    const former = new Browser(browser)
    await browser.open(`${url}/sign-in`)
    expect(browser.cookie(url, sessionCookie)).not.toBe(id)
    expect((await former.open(`${url}/api/me`)).status).toBe(401)
    thief.plant(url, sessionCookie, id ?? '')
    expect((await thief.open(`${url}/api/me`)).status).toBe(401) // signing in again ends the former session
  })

  test('has cookies for this server’s requests alone, without a secret in them', async () => {
    const { url, setCookies } = await began()
    const browser = new Browser()
    await browser.open(`${url}/sign-in`)
    const all = setCookies(browser)
    expect(all.length).toBeGreaterThanOrEqual(3)
    for (const one of all) expect(one).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(all.join()).not.toMatch(/ada|platform/)
  })

  test('starts a session that expires by itself', async () => {
    const { url, clock } = await began()
    const browser = new Browser()
    await browser.open(`${url}/sign-in`)
    expect((await browser.open(`${url}/api/me`)).status).toBe(200)
    await clock.advance(12 * 3_600_000)
    expect((await browser.open(`${url}/api/me`)).status).toBe(401)
  })

  test('cannot be abused: a foreign page signs nobody out, and changes nothing with somebody’s cookie', async () => {
    const { url, noted } = await began()
    const browser = new Browser()
    await browser.open(`${url}/sign-in`)
    const foreign = { origin: 'https://evil.example' }
    for (const path of ['/sign-out', '/api/projects/demo/pause'])
      expect((await browser.open(`${url}${path}`, foreign, 'POST')).status).toBe(403)
    expect((await browser.open(`${url}/sign-out`, { 'sec-fetch-site': 'cross-site' }, 'POST')).status).toBe(403)
    expect((await browser.open(`${url}/api/me`)).status).toBe(200)
    expect(noted).toEqual([])
  })

  test.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/\t/evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/.//evil.example/x', '/evil.example/x'],
    ['/a/..//evil.example/x', '/evil.example/x'],
    ['/sign-out', '/'],
    ['/p/demo?view=list#x', '/p/demo?view=list#x'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ])('leads from %s to %s, and never to another host', async (to, where) => {
    const { url } = await began()
    const browser = new Browser()
    const callback = await browser.upTo(`${url}/sign-in?to=${encodeURIComponent(to)}`, '/sign-in/callback')
    const { location } = await browser.step(callback)
    expect(location).toMatch(/#page=[\w-]{43}/)
    expect(location?.replace(/#page=[\w-]{43}/, '')).toBe(where)
  })
})

describe('a provider that cannot be trusted', () => {
  const good = (claims: Record<string, unknown> = {}, how: object = {}) => ({ claims, how })

  test.each([
    ['an answer as it should be', good(), true],
    ['a clock that is half a minute ahead', good({ iat: +30 }), true],
    ['an ID token that has just expired', good({ exp: -30 }), true],
    ['an ID token that expired long ago', good({ exp: -600 }), false],
    ['another nonce', good({ nonce: 'other' }), false],
    ['another issuer', good({ iss: 'https://evil.example' }), false],
    ['another audience', good({ aud: 'other' }), false],
    ['nobody’s key', good({}, { foreignKey: true }), false],
    ['no signature', good({}, { unsigned: true }), false],
    ['no name', good({ preferred_username: undefined }), false],
    ['a name that is none', good({ preferred_username: 7 }), false],
    ['a name with a line break', good({ preferred_username: 'ada\nroot' }), false],
    ['no ID token', good({}, { noToken: true }), false],
    ['an error', good({}, { status: 500 }), false],
  ])('with %s', async (_, { claims, how }, isIn) => {
    const issuer = await forger(claims, how)
    const { url, reported, secret } = await oidcServer(issuer)
    const browser = new Browser()
    const page = await browser.open(`${url}/sign-in`)
    const me = await browser.open(`${url}/api/me`)
    expect([page.status, me.status]).toEqual(isIn ? [503, 200] : [403, 401])
    if (!isIn) expect(page.text).not.toContain('evil')
    expect(JSON.stringify(reported.map(String))).not.toContain(secret)
  })

  test.each([
    ['the address that was verified', { email: 'ada@example.org', email_verified: true }, 'ada@example.org'],
    ['the subject, where the address is only said', { email: 'root@example.org', email_verified: false }, 'ada'],
    ['the subject, where there is no address', {}, 'ada'],
  ])('names people by %s, and not by the name they choose', async (_, claims, name) => {
    const { url } = await oidcServer(await forger({ preferred_username: 'root', ...claims }, {}), {})
    const browser = new Browser()
    await browser.open(`${url}/sign-in`)
    expect(await browser.json(`${url}/api/me`)).toMatchObject({ name })
  })

  test('that is away is reported, and the token still works', async () => {
    const { url, token } = await oidcServer('http://127.0.0.1:9')
    const page = await new Browser().open(`${url}/sign-in`)
    expect([page.status, page.text]).toEqual([502, expect.stringContaining('cannot be reached')])
    const me = await new Browser().open(`${url}/api/me`, { authorization: `Bearer ${token}` })
    expect(JSON.parse(me.text)).toMatchObject({ name: 'token', role: 'admin' })
  })
})

test('a server without a provider serves none of its addresses', async () => {
  const { ask } = await startHttp()
  for (const path of ['/sign-in', '/sign-in/callback', '/signed-out'])
    expect((await ask(path, { bearer: false })).status).toBe(401)
})
