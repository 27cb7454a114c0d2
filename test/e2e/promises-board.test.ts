// @suite dashboard
import { expect, test } from 'vitest'
import { card, chip, column } from './support/board.ts'
import { pasted } from './support/clipboard.ts'
import { beadOf, onMadeUp, press, runOf, states } from './support/made-up.ts'

/* Small stumbling blocks on the board, on a made-up server. */
const p = '/p/wordcraft'

onMadeUp('a person at the board', (stage) => {
  test.each(['', '?view=list'])('runs, cancels and copies all selected beads by their keys%s', async (view) => {
    const { page, context } = await stage.open(`${p}${view}${view === '' ? '?' : '&'}state=open`)
    await context.grantPermissions(['clipboard-write'])
    const project = stage.project('wordcraft')
    await card(page, 'wc-e03')
      .getByRole('link', { name: /in a title/ })
      .focus()
    await press(page, 'x', 'J', 'J', 'J')
    await page.getByText('4 selected').first().waitFor()
    const chosen = await page
      .locator('[data-bead]:has(:checked)')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-bead') ?? ''))
    await press(page, 'y', 'i')
    await page.getByText('4 IDs copied').waitFor()
    expect((await pasted(page)).split(' ').toSorted()).toEqual(chosen.toSorted())
    const work = chosen.filter((id) => beadOf(project, id).reminderOf === undefined)
    await press(page, 'r')
    await page.getByText(new RegExp(`^${work.length} queued`)).waitFor()
    for (const id of work) expect(states(project, id)).toContain('QUEUED')
  })

  test('stops all selected running beads by one key, and is asked once', async () => {
    const { page } = await stage.open(`${p}?state=running`)
    await card(page, 'wc-1a4').getByRole('link').first().focus()
    await press(page, 'x', 'J', 'J')
    await page.getByText('3 selected').first().waitFor()
    await press(page, 'c')
    await page.getByRole('dialog', { name: 'Stop 3 running beads?' }).waitFor()
  })

  test('sees the name of a long epic cut at its column, not spilling over the next one', async () => {
    const { page } = await stage.open(`${p}?group=epic`, { size: { width: 900, height: 700 } })
    await card(page, 'wc-1a4').waitFor()
    const spilt = await page.locator('section[data-column] h2').evaluateAll((heads) =>
      heads.flatMap((head) => {
        const { right } = head.getBoundingClientRect()
        return [...head.children]
          .filter((part) => part.getBoundingClientRect().right > right + 0.5)
          .map((part) => part.textContent)
      }),
    )
    expect(spilt).toEqual([])
  })

  test('has the selection bar above the cards of a small screen', async () => {
    const { page } = await stage.open(`${p}?state=running`, { size: { width: 320, height: 700 } })
    await card(page, 'wc-1a4').getByRole('link').first().focus()
    await press(page, 'x', 'J')
    const stop = page.getByRole('button', { name: 'Cancel', exact: true })
    await stop.waitFor()
    const isAbove = await stop.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
    expect(isAbove).toBe(true)
  })

  test('reads a long inbox from its beginning', async () => {
    const { page } = await stage.open('/p/edges')
    await chip(page, /^Inbox, 99\+ new/).waitFor()
    await press(page, 'g', 'n')
    const inbox = page.getByRole('dialog', { name: 'Inbox' })
    await inbox.getByRole('button', { name: 'Mark all as read' }).waitFor()
    expect(await inbox.evaluate((one) => one.scrollTop)).toBe(0)
  })

  test('reads the figure of a group whole, however long its name is', async () => {
    const { page } = await stage.open(`${p}?group=epic`)
    const figure = page.getByText(/^0 completed$/)
    await figure.waitFor()
    expect(await figure.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  })

  test.each(['a card', 'the bar'])('can click what lies under the hint of a button on %s', async (where) => {
    const { page } = await stage.open(p)
    const button = where === 'a card' ? page.getByRole('button', { name: 'Run wc-e03' }) : chip(page, /slots in use/)
    await button.hover()
    const hint =
      where === 'a card' ? page.locator('[class*=shared]') : page.locator('[data-radix-popper-content-wrapper]')
    await hint.waitFor()
    const box = (await hint.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const isInTheWay = () =>
      hint.evaluate((element, [left = 0, top = 0]) => element.contains(document.elementFromPoint(left, top)), [x, y])
    expect(await isInTheWay()).toBe(false)
    // It stays for a person who reads it with the pointer on it.
    await page.mouse.move(x, y, { steps: 4 })
    await page.evaluate(() => new Promise((later) => setTimeout(later, 400)))
    expect(await hint.count()).toBe(1)
  })

  test('reads the same number of ready beads in the menu and on the board, even after it has changed', async () => {
    const project = stage.project('wordcraft')
    // The menu writes nothing if no bead is ready.
    Object.assign(beadOf(project, 'wc-e02'), { ready: true, reason: { code: 'manual', text: 'ready to run' } })
    const { page } = await stage.open(p)
    const ready = async () =>
      Number.parseInt(
        await column(page, 'open')
          .getByText(/^\d+ ready$/)
          .innerText(),
      )
    await card(page, 'wc-e03', 'open').waitFor()
    const before = await ready()
    expect(before).toBeGreaterThan(1)
    stage.world.setStatus(project, beadOf(project, 'wc-e03'), 'done')
    beadOf(project, 'wc-e03').ready = false
    await card(page, 'wc-e03', 'completed').waitFor()
    expect(await ready()).toBe(before - 1)
    await page.getByRole('banner').getByRole('button', { name: 'wordcraft' }).click()
    await page.getByRole('menuitem', { name: new RegExp(`^wordcraft.*${before - 1} ready`) }).waitFor()
  })

  test('sees in the head of the running column that a review takes a slot, too', async () => {
    const { page } = await stage.open(p)
    const project = stage.project('wordcraft')
    await card(page, 'wc-1a4', 'running').waitFor()
    for (const bead of ['wc-1a4', 'wc-9fe']) stage.world.end(project, runOf(project, bead), 'COMPLETED', '')
    const head = column(page, 'running').getByRole('heading')
    await card(page, 'wc-9fe', 'completed').waitFor()
    const { used, total } = await page.evaluate(() => {
      const words = document.querySelector('header [aria-label$="slots in use"]')?.getAttribute('aria-label') ?? ''
      const [, one = '', other = ''] = /(\d+)\/(\d+)/.exec(words) ?? []
      return { used: one, total: other }
    })
    const cards = await column(page, 'running').locator('[data-bead]').count()
    expect(Number(used)).toBeGreaterThan(cards)
    await head.getByText(`${used}/${total} slots`).waitFor()
  })

  test('cannot run a mere reminder of another bead, and finds a bead that failed elsewhere among the failed', async () => {
    const { page } = await stage.open(p)
    await page.getByRole('button', { name: 'Run wc-r11' }).waitFor()
    await card(page, 'wc-d22', 'failed').waitFor()
    expect(await card(page, 'wc-r10').count()).toBe(0) // it is inside the bead that asks
    await page.goto(new URL(`${p}?label=needs-human`, page.url()).href)
    await card(page, 'wc-r10', 'open').waitFor()
    expect(await page.getByRole('button', { name: 'Run wc-r10' }).count()).toBe(0)
    await card(page, 'wc-r10').getByRole('link').first().focus()
    await press(page, 'r')
    await page.getByText('wc-r10 cannot run: it is only a reminder; run wc-c11 instead').waitFor()
    await press(page, 'Enter')
    await page.getByRole('link', { name: 'Answer on wc-c11' }).waitFor()
    expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
    expect(states(stage.project('wordcraft'), 'wc-r10')).toEqual([])
  })

  test('sees a count of the drawn cards, also while they lag behind the typed text', async () => {
    const { page } = await stage.open(`/p/big-tracker`)
    await page.locator('[data-bead]').first().waitFor()
    // At every drawing, compares the count with the cards.
    await page.evaluate(() => {
      const wrong: string[] = []
      Object.assign(globalThis, { wrong })
      const look = () => {
        const said = document.querySelector('[role=toolbar] [role=status]')?.textContent ?? ''
        const other = [...document.querySelectorAll('[data-bead]')].filter(
          (one) => !/zebra|parser/.test(one.textContent ?? ''),
        )
        if (/^\d[\d,]* beads$/.test(said) && document.querySelectorAll('[data-bead]').length > 0 && other.length === 0)
          wrong.push(said)
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await press(page, '/')
    await page.keyboard.type('parser survive')
    await page.getByText(/^\d[\d,]* of 2,404/).waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-bead]')].every((one) => /parser/.test(one.textContent ?? '')),
    )
    await press(page, 'Escape')
    await page.getByText('2,404 beads').waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-bead]')].some((one) => !/parser/.test(one.textContent ?? '')),
    )
    expect(await page.evaluate(() => (globalThis as unknown as { wrong: string[] }).wrong)).toEqual([])
  })
})
