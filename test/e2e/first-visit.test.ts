import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip } from './support/board.ts'
import { onStage } from './support/stage.ts'

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

    test('without the link a page says what to do, and nothing of the dashboard is there', async () => {
      const screen = await stage.open({ signIn: false })
      screen.expectConsole(/401/)
      await screen.go('/')
      await screen.page.getByRole('heading', { name: 'Sign in to Beadloom' }).waitFor()
      await screen.page.getByText('beadloom status').waitFor()
      // Its own style is let through, and nothing else.
      const size = () => getComputedStyle(document.querySelector('h1') as HTMLElement).fontSize
      expect(await screen.page.evaluate(size)).toBe('22px')
      expect(await violationsInBothThemes(screen.page)).toEqual([])
      await screen.go('/p/anything')
      await screen.page.getByRole('heading', { name: 'Sign in to Beadloom' }).waitFor()
      await screen.go('/?token=wrong')
      await screen.page.getByRole('alert').getByText('The token in this link is wrong.').waitFor()
      expect(await violationsInBothThemes(screen.page)).toEqual([])
      expect(await screen.page.locator('script').count()).toBe(0)
      // The page takes the token, or the whole link, and leads to where somebody wanted to go.
      await screen.go('/setup')
      await screen.page.getByLabel('Link or token').fill(`${stage.world.server.url}/?token=${stage.world.server.token}`)
      await screen.page.getByRole('button', { name: 'Sign in' }).click()
      await screen.page
        .getByRole('heading', { name: /project/ })
        .first()
        .waitFor()
      expect(screen.page.url()).toBe(`${stage.world.server.url}/setup`)
    })

    test('emoji are there where the system has none: families, flags and all', async () => {
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

    test('a page that is open when its pass runs out says so once the connection breaks', async () => {
      const screen = await stage.open()
      const { page, context } = screen
      await chip(page, /live/).waitFor()
      // On a busy machine it may just be loading other pages ahead.
      screen.expectConsole(/WebSocket|401 \(Unauthorized\)|ERR_INTERNET_DISCONNECTED|dynamically imported/)
      await context.clearCookies()
      await context.setOffline(true)
      await chip(page, 'offline, retrying').waitFor()
      await context.setOffline(false)
      await page.getByRole('alert').getByText('You’re not signed in').waitFor()
      await chip(page, 'not signed in').waitFor()
      // The same page takes the token, or the whole link, and stays where it is.
      const at = page.url()
      const field = page.getByLabel('Link or token')
      await field.fill('not-the-token')
      await field.press('Enter')
      await page.getByText('This token is wrong, or of another server.').waitFor()
      await field.fill(`${stage.world.server.url}/?token=${stage.world.server.token}`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await chip(page, /live/).waitFor()
      expect(page.url()).toBe(at)
    })

    test('a page whose script or question got lost on the way asks again instead of staying blank', async () => {
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

    test('the empty data folder says what is in place and what is missing', async () => {
      const { page } = await stage.open()
      const needs = page.getByRole('region', { name: 'First steps' })
      await needs.getByText('processes of this machine, for tests').waitFor()
      await needs.getByText('no model configured').waitFor()
      await needs.getByText('Add a project: a folder on this computer, or a URL.').waitFor()
      await needs.getByText('Add a project first.').waitFor()
    })

    test('a repository that is not there is refused in the form, with what is wrong with it', async () => {
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
      await page.waitForURL('**/p/greeter') // `/` leads to the board that was looked at last
      await card(page, 'gr-1').waitFor()
    })
  },
)
