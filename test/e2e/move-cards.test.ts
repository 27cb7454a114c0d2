// @suite dashboard
import { expect, test } from 'vitest'
import { card, column } from './support/board.ts'
import { dragByFinger, dragTo, holdOver, shelf, take } from './support/drag.ts'
import { beadOf, onMadeUp, press, states } from './support/made-up.ts'

/* A person moves cards by dragging and by keys, on a made-up server. */
const p = '/p/wordcraft'

onMadeUp('a card that is moved', (stage) => {
  const priorityOf = (id: string) => beadOf(stage.project('wordcraft'), id).priority
  const group = (priority: number) => `[data-column="${priority}"]`

  test('goes to another priority, is there at once, and comes back by Undo', async () => {
    const { page } = await stage.open(`${p}?group=priority`)
    await dragTo(page, card(page, 'wc-e03'), page.locator(group(0)))
    await page.locator(group(0)).locator('[data-bead="wc-e03"]').waitFor()
    await page.getByText('wc-e03 set to P0').waitFor()
    expect(priorityOf('wc-e03')).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator(group(2)).locator('[data-bead="wc-e03"]').waitFor()
    expect(priorityOf('wc-e03')).toBe(2)
  })

  test("runs when it is put into the running column, and no bead's page opens", async () => {
    const { page } = await stage.open(p)
    await dragTo(page, card(page, 'wc-e03', 'open'), column(page, 'running'))
    await card(page, 'wc-e03', 'queued').waitFor()
    await page.getByText('wc-e03 queued').waitFor()
    expect(states(stage.project('wordcraft'), 'wc-e03')).toEqual(['QUEUED'])
    expect(new URL(page.url()).pathname).toBe(p)
  })

  test('says why a column takes nothing, and stays', async () => {
    const { page } = await stage.open(p)
    await take(page, card(page, 'wc-e03', 'open'))
    await holdOver(page, column(page, 'failed'))
    await page.locator('[data-ghost]').getByText('Only an execution that fails puts a bead here').waitFor()
    await page.mouse.up()
    await page.getByRole('status').getByText('Only an execution that fails puts a bead here').waitFor()
    await card(page, 'wc-e03', 'open').waitFor()
  })

  test('is dropped with a message when its bead disappears meanwhile, and nothing else is moved', async () => {
    const { page } = await stage.open(`${p}?group=priority`)
    const project = stage.project('wordcraft')
    const before = new Map([...project.beads].map(([id, { priority }]) => [id, priority]))
    await take(page, card(page, 'wc-e03'))
    await holdOver(page, page.locator(group(0)))
    stage.world.removeBead(project, 'wc-e03')
    await page.getByText('wc-e03 is no longer on this board, so nothing was moved').waitFor()
    expect(await page.locator('[data-ghost]').count()).toBe(0)
    await page.mouse.up()
    // The next drag works as usual.
    await dragTo(page, card(page, 'wc-e02'), page.locator(group(0)))
    await page.getByText('wc-e02 set to P0').waitFor()
    before.delete('wc-e03')
    before.set('wc-e02', 0)
    expect(new Map([...project.beads].map(([id, { priority }]) => [id, priority]))).toEqual(before)
  })

  test('stays the one that was picked up, though others come, go and change around it', async () => {
    const { page } = await stage.open(`${p}?group=priority`)
    const project = stage.project('wordcraft')
    await take(page, card(page, 'wc-e03'))
    await holdOver(page, page.locator(group(1)))
    // The beads above it go, another one comes, and it is renamed.
    for (const id of ['wc-e01', 'wc-e02', 'wc-9fe']) stage.world.removeBead(project, id)
    const another = { ...beadOf(project, 'wc-b03'), id: 'wc-new', title: 'Came meanwhile', updatedAt: Date.now() }
    project.beads.set(another.id, another)
    stage.world.tellBead(project, another)
    beadOf(project, 'wc-e03').title = 'Renamed meanwhile'
    stage.world.tellBead(project, beadOf(project, 'wc-e03'))
    await card(page, 'wc-new').waitFor()
    await card(page, 'wc-9fe').waitFor({ state: 'detached' })
    await page.mouse.up()
    await page.locator(group(1)).locator('[data-bead="wc-e03"]').getByText('Renamed meanwhile').waitFor()
    await page.getByText('wc-e03 set to P1').waitFor()
    expect(priorityOf('wc-e03')).toBe(1)
    expect(priorityOf('wc-new')).toBe(another.priority)
  })

  test('whose bead starts meanwhile is not run again, and says why', async () => {
    const { page } = await stage.open(p)
    const project = stage.project('wordcraft')
    await take(page, card(page, 'wc-e03', 'open'))
    await holdOver(page, column(page, 'completed'))
    stage.world.queue(project, beadOf(project, 'wc-e03'))
    await card(page, 'wc-e03', 'queued').waitFor()
    await holdOver(page, column(page, 'running'))
    await page.mouse.up()
    await page.locator('[data-ghost]').waitFor({ state: 'detached' })
    expect(states(project, 'wc-e03')).toEqual(['QUEUED'])
  })

  test('stays where it is when Escape is pressed on the way', async () => {
    const { page } = await stage.open(`${p}?group=priority`)
    await take(page, card(page, 'wc-e03'))
    await holdOver(page, page.locator(group(0)))
    await page.keyboard.press('Escape')
    await page.locator('[data-ghost]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await page.locator(group(2)).locator('[data-bead="wc-e03"]').waitFor()
    expect(priorityOf('wc-e03')).toBe(2)
  })

  test('goes back with the reason when the server refuses', async () => {
    const screen = await stage.open(`${p}?group=priority`)
    screen.expectConsole(/status of 409/)
    const { page } = screen
    await card(page, 'wc-e03').waitFor()
    beadOf(stage.project('wordcraft'), 'wc-e03').priority = 4 // by somebody else, and not announced yet
    await dragTo(page, card(page, 'wc-e03'), page.locator(group(0)))
    await page.getByText(/^wc-e03 stays as it is: the priority of wc-e03 was changed by somebody else/).waitFor()
    await page.locator(group(2)).locator('[data-bead="wc-e03"]').waitFor()
  })

  test('takes the other selected ones along', async () => {
    const { page } = await stage.open(`${p}?group=priority&q=wc-e`)
    await card(page, 'wc-e02').getByRole('link').first().focus()
    await press(page, 'x')
    await card(page, 'wc-e03').getByRole('link').first().focus()
    await press(page, 'x')
    await dragTo(page, card(page, 'wc-e03'), page.locator(group(4)))
    await page.getByText('2 set to P4').waitFor()
    expect([priorityOf('wc-e02'), priorityOf('wc-e03')]).toEqual([4, 4])
  })

  test('is dragged from a row to a place below the list', async () => {
    const { page } = await stage.open(`${p}?view=list`)
    await take(page, card(page, 'wc-e03').locator('[role="cell"]').nth(2))
    await holdOver(page, shelf(page, 'priority 1'))
    await page.mouse.up()
    await page.getByText('wc-e03 set to P1').waitFor()
    expect(priorityOf('wc-e03')).toBe(1)
  })

  test('is moved by keys alone: its priority, and any place with its reason', async () => {
    const { page } = await stage.open(p)
    await card(page, 'wc-e03', 'open').getByRole('link').first().focus()
    await press(page, 'p', '0')
    await page.getByText('wc-e03 set to P0').waitFor()
    await press(page, 'm')
    const dialog = page.getByRole('dialog', { name: 'Move wc-e03' })
    await dialog.getByRole('button', { name: /P0 critical.*it is P0 already/ }).waitFor()
    await press(page, '3')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('wc-e03 set to P3').waitFor()
    await press(page, 'x', 'p', '2')
    await page.getByText('wc-e03 set to P2').waitFor()
    expect(priorityOf('wc-e03')).toBe(2)
  })

  test('is picked up by a finger that rests on it, on a small screen', async () => {
    const { page } = await stage.open(`${p}?lane=open`, { size: { width: 390, height: 844 }, touch: true })
    await dragByFinger(page, card(page, 'wc-e03', 'open'), () => shelf(page, 'run'))
    await page.getByText('wc-e03 queued').waitFor()
    expect(states(stage.project('wordcraft'), 'wc-e03')).toEqual(['QUEUED'])
  })

  test('is scrolled past by a finger that does not rest', async () => {
    const { page } = await stage.open(`${p}?lane=open`, { size: { width: 390, height: 500 }, touch: true })
    const box = await card(page, 'wc-e03', 'open').boundingBox()
    const { x = 0, y = 0 } = box ?? {}
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.synthesizeScrollGesture', { x: x + 20, y: y + 20, yDistance: -120, speed: 4000 })
    expect(await page.locator('[data-ghost]').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(p)
  })
})
