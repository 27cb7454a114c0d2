// @suite dashboard
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issues, makeRepository } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip, countIn } from './support/board.ts'
import { logPane } from './support/log.ts'
import { onStage } from './support/stage.ts'

/* When something is wrong: what a person is told, where, and what they can do about it. */
const withoutDocker = () => World.start({ env: { DOCKER_HOST: 'unix:///nowhere.sock' }, flags: { demo: true } })

onStage('without Docker', withoutDocker, (stage) => {
  test('the board is there, says so once and not on every card, and nothing pretends to run', async () => {
    const { page } = await stage.open()
    await page
      .getByRole('alert')
      .getByText(/Nothing new starts.*nowhere\.sock.*start it/)
      .waitFor()
    await chip(page, 'Docker').waitFor()
    await card(page, 'demo-e08t', 'open').waitFor()
    expect(await page.locator('[data-bead]').getByText('Docker').count()).toBe(0)
    await chip(page, '0/3 slots in use').waitFor()
    await card(page, 'demo-e08t').getByRole('link').click()
    await page
      .getByRole('note')
      .getByText(/nowhere\.sock/)
      .waitFor()
    await page.goto(`${stage.world.server.url}/setup`)
    const needs = page.getByRole('region', { name: 'First steps' })
    await needs.getByText('npx beadloom doctor').waitFor()
    await needs.getByText(/nowhere\.sock/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('a bead that is queued anyway waits with that reason, can be taken back, and that can be undone', async () => {
    const { page } = await stage.open()
    await card(page, 'demo-e08t').getByRole('button', { name: 'Run demo-e08t' }).click()
    await card(page, 'demo-e08t', 'queued').waitFor()
    await countIn(page, 'queued', '1').waitFor()
    await card(page, 'demo-e08t').getByRole('button', { name: 'Cancel demo-e08t' }).click()
    await card(page, 'demo-e08t', 'open').waitFor()
    const notice = page.getByRole('list', { name: 'Notices' }).getByRole('listitem')
    await notice.filter({ hasText: 'demo-e08t removed from the queue' }).getByRole('button', { name: 'Undo' }).click()
    await card(page, 'demo-e08t', 'queued').waitFor()
  })
})

const agent = `case "$(cat)" in
*'#tr-1 '*) echo x > x.txt ;;
*) sleep 600 ;;
esac
${commitAndPush('tr', 'Trouble')}`
const withTrouble = async () => {
  const world = await World.start({ engine: 'process' })
  const config = { limits: { inactivityTimeoutSeconds: 10 }, verification: { maxAttempts: 1 } }
  const test = 'echo "not ok 1 keeps comments"; echo "    at parser.test.js:12:5"; exit 1\n'
  await world.addProject('troubled', shellProject({ agent, test, config }), [
    { id: 'tr-1', title: 'Fails its tests' },
    { id: 'tr-2', title: 'Never says a word' },
    { id: 'tr-3', title: 'Waits for the one that failed', dependencies: [{ depends_on_id: 'tr-1', type: 'blocks' }] },
  ])
  const settings = JSON.stringify({ tset: 'npm test', limits: { cpus: -1 } })
  const broken = makeRepository(join(world.folder, 'broken'), {
    'beadloom.json': settings,
    '.beads/issues.jsonl': `${issues({ id: 'br-1', title: 'Cannot run' })}{broken\n${issues({ id: 'br-1', title: 'Twice' })}`,
  })
  await world.api('POST', '/api/projects', { source: broken, id: 'broken' })
  for (const bead of ['tr-1', 'tr-2']) await world.run('troubled', bead)
  return world
}

onStage('a person whose beads did not end well', withTrouble, (stage) => {
  test('sees on the board which failed and which ran out of time, in the tab as well', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/troubled')
    await card(page, 'tr-1', 'failed').getByText('not ok 1 keeps comments').waitFor() // the complaint of the check
    await card(page, 'tr-2', 'timeout').getByText('There was no output for 10 s').waitFor()
    await card(page, 'tr-3', 'open').getByRole('link', { name: 'Failed tr-1' }).waitFor()
    await page.locator('link[rel=icon][href="/favicon-failed.svg"]').waitFor({ state: 'attached' })
    await expect.poll(() => page.title()).toBe('(2✕) troubled · Beadloom')
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('finds both in the inbox by keys, and entries that were read stay read', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/troubled')
    await chip(page, 'Inbox, 2 new').waitFor()
    for (const key of 'gn') await page.keyboard.press(key)
    const inbox = page.getByRole('dialog', { name: 'Inbox' })
    await inbox.getByRole('button', { name: /^tr-1 checks failed.*after 1 attempt/ }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await inbox.getByRole('button', { name: /^tr-2 timed out: no output/ }).press('Enter')
    await page.waitForURL('**/p/troubled/b/tr-2')
    await chip(page, 'Inbox, 1 new').waitFor()
    await page.reload()
    await chip(page, 'Inbox, 1 new').click()
    await inbox.getByRole('button', { name: 'Mark all as read' }).click()
    await inbox.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('banner').getByRole('button', { name: 'Inbox', exact: true }).waitFor()
  })

  test('reads the output of the tests above the log of the verification that failed', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/troubled/b/tr-1')
    const banner = page.getByRole('note')
    await banner
      .getByRole('group', { name: 'Output of the failed check' })
      .getByText('not ok 1 keeps comments')
      .waitFor()
    await banner.getByText('beads-tr-1-fails-its-tests').waitFor()
    await page.getByRole('button', { name: /check/i, pressed: true }).first().waitFor()
    await logPane(page).getByText('not ok 1 keeps comments', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run again' }).waitFor()
    // Suggested actions, the recommended one first: the filed bead starts from the failed work.
    const filed = page.getByRole('region', { name: 'Follow-ups' }).getByRole('listitem')
    await filed.getByText('Recommended').waitFor()
    await filed.getByRole('button', { name: /^Run tr-/ }).waitFor()
    const actions = page.getByRole('region', { name: 'Suggested actions' }).getByRole('listitem')
    await actions.last().getByRole('button', { name: 'Run again' }).waitFor()
    expect(await page.getByRole('button', { name: /^Run (again|with)/ }).count()).toBe(2) // each action once
    await page.getByText(/in progress \(a failed bead stays in progress/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('reads why the other one was stopped', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/troubled/b/tr-2')
    await page.getByRole('note').getByText('There was no output for 10 s').waitFor()
    await page.getByRole('button', { name: 'Run again' }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('reads everything that is wrong with the settings and the tracker of a project, and why Run does nothing', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/broken')
    const alert = page.getByRole('alert')
    for (const word of ['tset', 'limits.cpus']) await alert.getByText(word).waitFor()
    await card(page, 'br-1', 'open').waitFor()
    await page.getByText('2 warnings from reading the beads').waitFor()
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('listitem').filter({ hasText: 'br-1' }).first().waitFor()
    const run = card(page, 'br-1').getByRole('button', { name: 'Run br-1' })
    expect(await run.getAttribute('aria-disabled')).toBe('true')
    await card(page, 'br-1').getByRole('link').focus()
    await page.keyboard.press('r')
    await page.getByText(/br-1 cannot run: .*tset/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })
})
