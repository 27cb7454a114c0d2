// @suite dashboard
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, issues, makeRemote, writeFiles } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip } from './support/board.ts'
import { shelf, withoutDocker } from './support/shelf.ts'
import { onStage } from './support/stage.ts'

/* A page that stays open for hours: it reports trouble, and after sleep or a new server it shows the truth. */
onStage('a page that stays open', shelf, (stage) => {
  test('reports trouble in the inbox, and by a desktop notification to people who want it and look elsewhere', async () => {
    const screen = await stage.open()
    const { page, context } = screen
    await context.grantPermissions(['notifications'])
    // The system's notifications are invisible here, so the test looks at the page's requests for them.
    await context.addInitScript(() => {
      const shown: string[] = []
      const kept = globalThis.Notification
      const Told = function (this: EventTarget, title: string, { body }: { body: string }) {
        shown.push(`${title}: ${body}`)
        return new EventTarget()
      }
      Object.assign(Told, { requestPermission: () => kept.requestPermission() })
      Object.defineProperty(Told, 'permission', { get: () => kept.permission })
      Object.assign(globalThis, { Notification: Told, shownNotices: shown })
      Object.defineProperty(document, 'hidden', { get: () => 'looksAway' in globalThis })
    })
    const told = () => page.evaluate(() => (globalThis as unknown as { shownNotices: string[] }).shownNotices)
    await screen.go('/p/other/settings?of=browser')
    const wanted = page.getByRole('checkbox', { name: /Desktop notifications/ })
    expect(await wanted.isChecked()).toBe(false)
    await wanted.click() // the browser is asked first, so it is checked a moment later
    await page.getByRole('checkbox', { name: /Desktop notifications/, checked: true }).waitFor()
    await page.getByRole('link', { name: 'Board' }).click()
    await card(page, 'ot-1').waitFor()
    await page.evaluate(() => {
      Object.assign(globalThis, { looksAway: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })

    const remote = join(stage.world.folder, 'remotes', 'other.git')
    const clone = `${remote}-clone`
    git(remote, 'clone', '--quiet', '.', clone)
    writeFiles(clone, { 'beadloom.json': '{ "tset": "npm test" }' })
    git(clone, 'commit', '--quiet', '--all', '--message', 'A mistake in the settings')
    git(clone, 'push', '--quiet', 'origin', 'main')
    await stage.world.api('POST', '/api/projects/other/sync')
    await chip(page, 'Inbox, 1 new').waitFor()
    // The tabs first agree on which of them notifies.
    await page.waitForFunction(() => (globalThis as unknown as { shownNotices: string[] }).shownNotices.length > 0)
    expect(await told()).toEqual([expect.stringMatching(/^Project cannot run: .*tset/)])

    await chip(page, 'Inbox, 1 new').click()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: /^Project cannot run/ }).click()
    await page.waitForURL('**/p/other/sync')
    await page.reload()
    await page.getByRole('banner').getByRole('button', { name: 'Inbox', exact: true }).waitFor()
  })

  const notices = 'ol[aria-label="Notices"] > li'
  const stale = (yes: boolean) => `html${yes ? '[data-stale]' : ':not([data-stale])'}`

  test('says while the computer sleeps how old its data is, and catches up with the server soon after by itself', async () => {
    const screen = await stage.open()
    screen.expectConsole(/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const { page, context } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1', 'open').waitFor()
    await chip(page, /^live/).waitFor()
    await context.setOffline(true)
    await chip(page, 'offline, retrying').waitFor()
    // Nothing pretends to be current, and nothing disappears.
    await page.locator(stale(true)).waitFor()
    await card(page, 'sh-1', 'open').waitFor()
    for (const bead of ['sh-1', 'sh-3', 'sh-10'])
      await stage.world.api('PATCH', `/api/projects/shelf/beads/${bead}`, { status: 'done' })
    expect(await chip(page, 'offline, retrying').count()).toBe(1)
    await card(page, 'sh-1', 'open').waitFor()
    await context.setOffline(false)
    await chip(page, /^live/).waitFor()
    await page.locator(stale(false)).waitFor({ state: 'attached' })
    for (const bead of ['sh-1', 'sh-3']) await card(page, bead, 'open').waitFor({ state: 'detached' })
    expect(await page.locator(notices).count()).toBe(0)
  })

  test('shows the data of a replaced server, even if that has counted less far, and nothing of the former one', async () => {
    const { world } = stage
    const folder = mkdtempSync(join(tmpdir(), 'bl-epoch-'))
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    copyFileSync(join(world.data, 'token'), join(data, 'token'))
    const source = makeRemote(join(folder, 'shelf.git'), {
      '.beads/issues.jsonl': issues({ id: 'ne-1', title: 'Of the new data' }, { id: 'sh-2', title: 'Told anew' }),
      ...shellProject({ agent: 'true\n' }),
    })
    const prepared = await World.start({ env: withoutDocker, data })
    await prepared.api('POST', '/api/projects', { source, id: 'shelf' })
    await prepared.stop()

    const screen = await stage.open()
    screen.expectConsole(/WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource/)
    const { page } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-2', 'open').waitFor()
    for (let n = 0; n < 20; n++) await world.api('POST', `/api/projects/shelf/${n % 2 === 0 ? 'pause' : 'resume'}`)
    const { port } = new URL(world.server.url)
    await world.stop()
    await chip(page, /reconnecting, data as of/).waitFor()
    stage.world = await World.start({ env: withoutDocker, data, flags: { port } })
    // Sign-ins are part of the data, so the new server knows none.
    await page.getByPlaceholder('Link or token').fill(stage.world.server.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await card(page, 'ne-1', 'open').waitFor()
    await card(page, 'sh-2', 'open').getByText('Told anew').waitFor()
    expect(await page.locator('[data-bead]').count()).toBe(2)
    // It is not frozen: new events are shown.
    await stage.world.api('PATCH', '/api/projects/shelf/beads/ne-1', { status: 'done' })
    await card(page, 'ne-1', 'open').waitFor({ state: 'detached' })
    rmSync(folder, { recursive: true, force: true })
  })
})
