import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { closeCode } from '@beadloom/core/api/stream/protocol.ts'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip } from './support/board.ts'
import { onStage } from './support/stage.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

/* The first minutes of a person with an empty data folder. */
onStage(
  'a first visit',
  () => World.start({ engine: 'process' }),
  (stage) => {
    test('the link with the token signs in, and the token stays in no address, history, storage or script', async () => {
      const { page, context } = await stage.open()
      await page.getByRole('heading', { name: 'Add your first project' }).waitFor()
      const { token } = stage.world.server
      expect(page.url()).not.toContain(token)
      expect(await page.evaluate(() => document.cookie)).toBe('')
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(token)
      await page.goto(`${stage.world.server.url}/setup`)
      await page.goBack()
      expect(page.url()).not.toContain(token)
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    })

    test('without the link a page says what to do, and shows nothing of the dashboard', async () => {
      const screen = await stage.open({ signIn: false })
      screen.expectConsole(/401/)
      await screen.go('/')
      await screen.page.getByRole('heading', { name: 'Sign in to Beadloom' }).waitFor()
      await screen.page.getByText('beadloom status').waitFor()
      // The content policy lets its own style through, and nothing else.
      const size = () => getComputedStyle(document.querySelector('h1') as HTMLElement).fontSize
      expect(await screen.page.evaluate(size)).toBe('22px')
      expect(await violationsInBothThemes(screen.page)).toEqual([])
      await screen.go('/p/anything')
      await screen.page.getByRole('heading', { name: 'Sign in to Beadloom' }).waitFor()
      await screen.go('/?token=wrong')
      await screen.page.getByRole('alert').getByText('The token in this link is wrong.').waitFor()
      expect(await violationsInBothThemes(screen.page)).toEqual([])
      expect(await screen.page.locator('script').count()).toBe(0)
      // The page takes the token, or the whole link, and leads to the requested page.
      await screen.go('/setup')
      await screen.page.getByLabel('Link or token').fill(`${stage.world.server.url}/?token=${stage.world.server.token}`)
      await screen.page.getByRole('button', { name: 'Sign in' }).click()
      await screen.page
        .getByRole('heading', { name: /project/ })
        .first()
        .waitFor()
      expect(screen.page.url()).toBe(`${stage.world.server.url}/setup`)
    })

    longTest('emoji are shown where the system has none: families, flags and all', async () => {
      const { page } = await stage.open()
      await page.getByRole('heading', { name: 'Add your first project' }).waitFor()
      const family = 'Noto Emoji Variable'
      await page.waitForFunction((name) => [...document.fonts].some((face) => face.family.includes(name)), family)
      const states = await page.evaluate(async (name) => {
        const faces = await document.fonts.load(`16px "${name}"`, '\u{1F469}\u200D\u{1F680} \u{1F1E9}\u{1F1EA} \u2705')
        return faces.map((face) => face.status)
      }, family)
      expect(states.length).toBeGreaterThan(1)
      expect(new Set(states)).toEqual(new Set(['loaded']))
      const families = await page.evaluate(() => getComputedStyle(document.body).fontFamily)
      expect(families.endsWith(`"${family}"`)).toBe(true)
    })

    longTest('an open page whose pass expires says so once the connection breaks', async () => {
      const screen = await stage.open()
      const { page, context } = screen
      await chip(page, /live/).waitFor()
      // On a busy machine it may still be preloading other pages.
      screen.expectConsole(/WebSocket|401 \(Unauthorized\)|ERR_INTERNET_DISCONNECTED|dynamically imported/)
      await context.clearCookies()
      await context.setOffline(true)
      await chip(page, 'offline, retrying').waitFor()
      await context.setOffline(false)
      await page.getByRole('alert').getByText('You’re not signed in').waitFor()
      await chip(page, 'not signed in').waitFor()
      // The same page takes the token, or the whole link, and keeps the address.
      const at = page.url()
      const field = page.getByLabel('Link or token')
      await field.fill('not-the-token')
      await field.press('Enter')
      await page.getByText('This token is wrong, or belongs to another server.').waitFor()
      await field.fill(`${stage.world.server.url}/?token=${stage.world.server.token}`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await chip(page, /live/).waitFor()
      expect(page.url()).toBe(at)
    })

    longTest('another port of this machine gets the cookie, and can do nothing with it', async () => {
      const screen = await stage.open()
      const { page, context } = screen
      const { server } = stage.world
      const got = Promise.withResolvers<string>()
      const neighbour = createServer((request, response) => {
        if (request.url === '/') got.resolve(request.headers.cookie ?? '')
        response.end('<!doctype html><title>a development server</title>')
      }).listen(0, '127.0.0.1')
      await once(neighbour, 'listening')
      const elsewhere = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}`
      const tab = await screen.tab()
      await tab.goto(elsewhere)
      const cookie = await got.promise
      expect(cookie).toMatch(/^beadloom-[0-9a-f]{8}-session=/)
      expect(screen.problems.splice(0)).toEqual([`request elsewhere: ${elsewhere}/`]) // ours
      // Its page has no value of ours; its process may send anything.
      expect(await tab.evaluate(() => JSON.stringify({ ...localStorage }))).toBe('{}')
      const headers = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin' }
      const status = async (path: string, method = 'GET') =>
        (await fetch(`${server.url}${path}`, { method, headers, redirect: 'manual' })).status
      expect(await status('/api/projects')).toBe(401)
      expect(await status('/api/ticket?for=/api/projects')).toBe(401)
      expect(await status('/api/projects/any/pause', 'POST')).toBe(401)
      expect(await status('/sign-out', 'POST')).toBe(401)
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, ['beadloom', 'beadloom-page.made-up'], {
        headers,
      })
      expect(await once(socket, 'close')).toMatchObject([closeCode.auth, expect.anything()])
      neighbour.close()
      neighbour.closeAllConnections()
      // The person's own page is unaffected.
      await page.reload()
      await chip(page, /live/).waitFor()
      expect((await context.cookies()).length).toBe(1)
    })

    longTest(
      'a page that has lost its value, as with cleared storage, takes the token and stays where it is',
      async () => {
        const screen = await stage.open()
        const { page } = screen
        screen.expectConsole(/WebSocket|401 \(Unauthorized\)|favicon\.ico/)
        await screen.go('/setup')
        await chip(page, /live/).waitFor()
        await page.evaluate(() => localStorage.clear())
        await page.reload()
        await page.getByRole('alert').getByText('You’re not signed in').waitFor()
        await page.getByLabel('Link or token').fill(stage.world.server.token)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await chip(page, /live/).waitFor()
        expect(page.url()).toBe(`${stage.world.server.url}/setup`)
        // An address of the API, opened as a page, finds the value by itself; without it, it says how to sign in.
        const tab = await screen.tab()
        await tab.goto(`${stage.world.server.url}/api/projects`)
        await tab.getByText('"items"').waitFor()
        await tab.evaluate(() => localStorage.clear())
        await tab.goto(`${stage.world.server.url}/api/projects`)
        await tab.getByRole('alert').getByText('Open the dashboard to sign in').waitFor()
      },
    )

    longTest('a forged link signs nobody out: its value never replaces one that works', async () => {
      const screen = await stage.open()
      const { page } = screen
      screen.expectConsole(/401/)
      await chip(page, /live/).waitFor()
      for (const value of ['junk', 'A'.repeat(43)]) {
        const tab = await screen.tab()
        await tab.goto(`${stage.world.server.url}/setup#page=${value}`)
        await chip(tab, /live/).waitFor()
        expect(tab.url()).toBe(`${stage.world.server.url}/setup`)
      }
      // The person's own link still brings a new one, which is kept.
      const before = await page.evaluate(() => localStorage.getItem('beadloom.page'))
      await screen.go(`/?token=${stage.world.server.token}`)
      await chip(page, /live/).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('beadloom.page'))).not.toBe(before)
    })

    longTest('a person sees which browsers are signed in, signs one out, and then this one', async () => {
      await stage.world.addProject('doors', shellProject({ agent: 'true\n' }), [{ id: 'do-1', title: 'Doors' }])
      const other = await stage.open()
      await chip(other.page, /live/).waitFor()
      const screen = await stage.open()
      const { page } = screen
      await screen.go('/p/doors/settings?of=server')
      const browsers = page.getByRole('region', { name: 'Signed-in browsers' })
      await browsers.getByText('this browser').waitFor()
      other.expectConsole(/401|WebSocket/)
      // The newest comes first: this browser, then the other.
      await browsers
        .getByRole('button', { name: /^Sign out (?!this)/ })
        .first()
        .click()
      await other.page.getByRole('alert').getByText('You’re not signed in').waitFor()
      screen.expectConsole(/401|WebSocket/)
      await browsers.getByRole('button', { name: 'Sign out this browser' }).click()
      await page.getByRole('heading', { name: 'Sign in to Beadloom' }).waitFor()
      expect(await page.evaluate(() => localStorage.getItem('beadloom.page'))).toBeNull()
      await stage.world.api('DELETE', '/api/projects/doors')
    })

    longTest('a page whose script or question got lost on the way asks again instead of staying blank', async () => {
      const screen = await stage.open({ signIn: false })
      const { page } = screen
      screen.expectConsole(/ERR_CONNECTION_RESET/)
      const lost: string[] = []
      for (const what of [/assets\/index-.*\.js$/, /\/api\/projects\/hiccup\/pause$/])
        await page.route(
          what,
          (route) => {
            lost.push(route.request().url())
            return route.abort('connectionreset')
          },
          { times: 1 },
        )
      await screen.go(`/?token=${stage.world.server.token}`)
      await page.getByRole('heading', { name: 'Add your first project' }).waitFor()
      await stage.world.addProject('hiccup', shellProject({ agent: 'true\n' }), [{ id: 'hi-1', title: 'Hiccup' }])
      await screen.go('/p/hiccup')
      await page.getByRole('button', { name: 'Pause: start nothing new' }).click()
      await page.getByText('This project is paused').waitFor()
      expect(lost).toHaveLength(2)
      expect(await page.getByText('The server does not answer').count()).toBe(0)
      await stage.world.api('DELETE', '/api/projects/hiccup')
    })

    longTest('the empty data folder says what is in place and what is missing', async () => {
      const { page } = await stage.open()
      const needs = page.getByRole('region', { name: 'First steps' })
      await needs.getByText('processes of this machine, for tests').waitFor()
      await needs.getByText('no model configured').waitFor()
      await needs.getByText('Add a project: a folder on this computer, or a URL.').waitFor()
      await needs.getByText('Add a project first.').waitFor()
    })

    longTest('the form refuses a repository that does not exist, and says what is wrong with it', async () => {
      const screen = await stage.open()
      const { page } = screen
      screen.expectConsole(/422/)
      await page.getByRole('button', { name: 'Add project' }).click()
      await page.getByRole('alert').getByText('Enter the path of a git repository').waitFor()
      await page.getByLabel('Path or URL of the git repository').fill('/nowhere/at/all')
      await page.getByLabel('Path or URL of the git repository').press('Enter')
      await page.getByRole('alert').getByText('/nowhere/at/all').waitFor()
      expect(await page.getByLabel('Path or URL of the git repository').inputValue()).toBe('/nowhere/at/all')
    })

    test('a repository given there becomes a project, and its beads are on the board', async () => {
      const folder = makeRepository(join(stage.world.folder, 'greeter'), {
        ...shellProject({ agent: 'true\n' }),
        '.beads/issues.jsonl': issues({ id: 'gr-1', title: 'Greet in Dutch' }),
      })
      const { page } = await stage.open()
      await page.getByLabel('Path or URL of the git repository').fill(folder)
      await page.getByRole('button', { name: 'Add project' }).click()
      await page.waitForURL('**/p/greeter')
      await card(page, 'gr-1', 'open').getByText('Greet in Dutch').waitFor()
      await page.goto(stage.world.server.url)
      await page.waitForURL('**/p/greeter') // `/` leads to the last viewed board
      await card(page, 'gr-1').waitFor()
    })
  },
)
