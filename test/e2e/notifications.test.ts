// @suite dashboard
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { chip } from './support/board.ts'
import { onStage } from './support/stage.ts'

/* Desktop notifications, with the browser's own permission, constructor and tabs. */
const agent = `prompt=$(cat)
case "$prompt" in *"[asks"*) echo "BLOCKED: <b>which</b> colour?" ;; *"[fails"*) exit 3 ;; *) echo "$prompt" > done.txt ;; esac
`
const beads = ['[asks] 1', '[asks] 2', '[fails] 1', '[fails] 2', '[works] 1', '[works] 2', '[asks] 3']
const start = async () => {
  const world = await World.start({ engine: 'process', blockedGraceMs: 1 })
  const config = { verification: { maxAttempts: 1 }, retry: { retryCount: 0 } }
  await world.addProject(
    'told',
    shellProject({ agent, config }),
    beads.map((title, at) => ({ id: `t-${at + 1}`, title })),
  )
  return world
}

type Told = { title: string; body: string; tag: string }
type Watched = { told: (Told & { shown: Notification })[]; asked: boolean[]; hides: boolean }

/** Makes every page keep its notifications and its requests; `hides` makes the page seem hidden. */
const watched = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const page: Watched = { told: [], asked: [], hides: false }
    Object.assign(globalThis, { watched: page })
    Object.defineProperty(document, 'hidden', { get: () => page.hides })
    const Real = globalThis.Notification
    globalThis.Notification = class extends Real {
      constructor(title: string, options: NotificationOptions = {}) {
        super(title, options)
        page.told.push({ title, body: options.body ?? '', tag: options.tag ?? '', shown: this })
      }
      static override requestPermission(): Promise<NotificationPermission> {
        page.asked.push(navigator.userActivation.isActive)
        return Real.requestPermission()
      }
    }
  })
const of = (page: Page) => page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.asked)
const told = (page: Page): Promise<Told[]> =>
  page.evaluate(() =>
    (globalThis as unknown as { watched: Watched }).watched.told.map(({ title, body, tag }) => ({ title, body, tag })),
  )
const look = (page: Page, looks: boolean) =>
  page.evaluate((hides) => {
    ;(globalThis as unknown as { watched: Watched }).watched.hides = hides
    document.dispatchEvent(new Event('visibilitychange'))
  }, !looks)

onStage('desktop notifications', start, (stage) => {
  const origin = () => stage.world.server.url
  const opened = async (granted: boolean) => {
    const screen = await stage.open()
    await watched(screen.context)
    if (granted) await screen.context.grantPermissions(['notifications'], { origin: origin() })
    return screen
  }
  const turnOn = async (page: Page, more: string[] = []) => {
    await page.goto(`${origin()}/p/told/settings?of=browser`)
    for (const name of ['Desktop notifications when hidden', ...more]) {
      const box = page.getByRole('checkbox', { name })
      await box.waitFor()
      if (await box.isChecked()) continue
      // The browser is asked first: the box is checked once it has answered.
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(true)
    }
  }
  const board = async (page: Page) => {
    await page.goto(`${origin()}/p/told`)
    await page.locator('[data-bead]').first().waitFor()
  }
  const ends = (bead: string) => stage.world.run('told', bead)
  const inboxCounts = (page: Page, count: number) => chip(page, new RegExp(`^Inbox, ${count} new`)).waitFor()

  test('are requested only by a person’s press, and a refusal is shown', async () => {
    const screen = await opened(false)
    const { page } = screen
    await board(page)
    await page.goto(`${origin()}/p/told/settings?of=browser`)
    const box = page.getByRole('checkbox', { name: 'Desktop notifications when hidden' })
    await box.waitFor()
    expect(await of(page)).toEqual([])
    await box.click()
    await page.getByRole('alert').getByText('The browser blocks notifications').waitFor()
    expect(await box.isChecked()).toBe(false)
    expect(await of(page)).toEqual([true])
    await page.reload()
    await box.waitFor()
    expect(await of(page)).toEqual([])
  })

  test('tell each event once over all tabs, lead to its bead, and leave out what somebody sees already', async () => {
    const screen = await opened(true)
    const one = screen.page
    await turnOn(one)
    const two = await screen.tab()
    const both = [one, two]
    const all = async () => (await Promise.all(both.map(told))).flat()
    for (const page of both) await board(page)
    for (const page of both) await look(page, false)
    expect((await ends('t-1')).state).toBe('BLOCKED')
    await expect.poll(async () => (await all()).length).toBe(1)
    for (const page of both) await inboxCounts(page, 1)
    expect(await all()).toEqual([
      { title: 't-1 needs you', body: '<b>which</b> colour?', tag: expect.stringContaining('told ex-') },
    ])

    // Somebody looks at the project in one tab: the other tab says nothing.
    await look(two, true)
    expect((await ends('t-3')).state).toBe('FAILED')
    for (const page of both) await inboxCounts(page, 2)
    await look(two, false)
    // Merged work does not interrupt by default.
    expect((await ends('t-5')).state).toBe('COMPLETED')
    expect((await ends('t-2')).state).toBe('BLOCKED')
    await expect.poll(async () => (await all()).map(({ title }) => title)).toEqual(['t-1 needs you', 't-2 needs you'])

    // A setting of a third tab counts in all; after the telling tab is closed, another one tells.
    const third = await screen.tab()
    await turnOn(third, ['Work was merged'])
    await third.close()
    const [teller, other] = (await told(one)).length > 0 ? [one, two] : [two, one]
    const pressed = await teller.evaluate(() => {
      const [first] = (globalThis as unknown as { watched: Watched }).watched.told
      first?.shown.dispatchEvent(new Event('click'))
      return first?.title
    })
    expect(pressed).toBe('t-1 needs you')
    await teller.waitForURL(/\/p\/told\/b\/t-1/)
    await teller.close()
    expect((await ends('t-6')).state).toBe('COMPLETED')
    await expect.poll(async () => (await told(other)).map(({ title }) => title)).toEqual(['t-6 merged'])

    // A page that is opened later tells nothing old.
    await board(other)
    await look(other, false)
    expect((await ends('t-7')).state).toBe('BLOCKED')
    await expect.poll(async () => (await told(other)).map(({ title }) => title)).toEqual(['t-7 needs you'])
  })
})
