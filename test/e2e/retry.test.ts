// @suite dashboard
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card } from './support/board.ts'
import { onStage } from './support/stage.ts'

/*
 * Repeated work: three attempts of one agent because of the checks, and retries by a policy that a person chooses, for
 * an agent that is killed with the program that started it.
 */
const agent = `case "$(cat)" in
*'#re-2 '*) kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60 ;;
esac
n=$(cat count.txt 2>/dev/null || echo 0)
echo $((n + 1)) > count.txt
${commitAndPush('re-1', 'Count to three')}`
const check = `n=$(cat count.txt)
if [ "$n" -ge 3 ]; then exit 0; fi
echo "not ok 1 counts to three"; echo "  error: expected 3, got $n"; exit 1
`
const start = async () => {
  const world = await World.start({ engine: 'process' })
  await world.addProject(
    'again',
    shellProject({ agent, test: check, config: { retry: { retryDelay: 2000, retryOn: ['exit code'] } } }),
    [
      { id: 're-1', title: 'Count to three', priority: 1 },
      { id: 're-2', title: 'Break off', priority: 2 },
    ],
  )
  return world
}

onStage('a person whose beads need more than one try', start, (stage) => {
  const newest = async (bead: string) => {
    const [execution] = (await stage.world.get<BeadView>(`/api/projects/again/beads/${bead}`)).executions
    if (execution === undefined) throw new Error(`${bead} has not run`)
    return execution
  }

  test('sees each attempt with the results of its checks, until they pass', async () => {
    const screen = await stage.open()
    const { page } = screen
    await stage.world.run('again', 're-1')
    await screen.go('/p/again/b/re-1?tab=attempts')
    const attempts = page.getByRole('list', { name: 'Attempts, newest first' })
    const [third, , first] = [0, 1, 2].map((at) => attempts.locator('> li').nth(at))
    await third?.getByRole('heading', { name: 'Attempt 3' }).waitFor()
    await third?.getByText('Passed checks', { exact: true }).waitFor()
    await third?.getByText('test passed by its exit code alone').waitFor()
    await first?.getByRole('heading', { name: 'Attempt 1' }).waitFor()
    await first?.getByText('Failed checks', { exact: true }).waitFor()
    expect(await attempts.locator('> li').count()).toBe(3)
    // A failed check is repeated on the same commit before it costs an attempt.
    await first?.getByRole('list', { name: 'Flakiness re-check' }).waitFor()
    await page.getByRole('button', { name: /2 earlier$/ }).click()
    await page
      .getByRole('list', { name: 'Pipeline' })
      .getByRole('button', { name: /Re-check/ })
      .first()
      .waitFor()
    const digest = first?.getByRole('group', { name: /^Digest of/ }).first()
    expect(await digest?.isVisible()).toBe(false)
    await first
      ?.getByText(/^Digest/)
      .first()
      .click()
    await digest?.getByText('counts to three').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await first?.getByRole('listitem').getByRole('button', { name: /^Log/ }).first().click()
    await page.getByRole('button', { name: /check/i, pressed: true }).first().waitFor()

    const {
      items: [newest],
    } = await stage.world.get<{ items: { id: string }[] }>('/api/executions?bead=re-1')
    const svg = await page.evaluate(async (id) => {
      const headers = { 'x-beadloom-page': localStorage.getItem('beadloom.page') ?? '' }
      const answer = await fetch(`/api/executions/${id}/evidence.svg`, { headers })
      return { kept: answer.headers.get('content-disposition'), text: await answer.text() }
    }, newest?.id)
    expect(svg.kept).toMatch(/^attachment; filename="ex-\w+\.svg"$/)
    expect(svg.text).toMatch(/passed in a clean checkout/)

    // In turn: an attempt's output and its changes always belong together.
    await screen.go('/p/again/b/re-1?tab=attempts')
    await page.getByRole('button', { name: 'Step through all 3 attempts' }).click()
    const theatre = page.getByRole('region', { name: 'Attempts, one by one' })
    const change = (attempt: number) => theatre.getByRole('group', { name: `Change of attempt ${attempt}` })
    await theatre.getByRole('heading', { name: 'Attempt 1 of 3' }).waitFor()
    await change(1).locator('[data-kind=added]').getByText('1', { exact: true }).last().waitFor()
    await page.keyboard.press('ArrowRight')
    await theatre.getByRole('heading', { name: 'Attempt 2 of 3' }).waitFor()
    await change(2).locator('[data-kind=removed]').getByText('1', { exact: true }).last().waitFor()
    await change(2).locator('[data-kind=added]').getByText('2', { exact: true }).last().waitFor()
    await theatre.getByRole('group', { name: 'Output of attempt 2' }).waitFor()
    await theatre.getByText('Told about attempt 1').click()
    await theatre
      .getByRole('group', { name: 'Told about attempt 1' })
      .getByText(/counts to three/)
      .waitFor()
    expect(new URL(page.url()).searchParams.get('attempt')).toBe('2')
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await attempts.waitFor()

    // An attempt beside the one before, and its changes since then.
    await screen.go('/p/again/b/re-1?tab=attempts')
    const second = attempts.locator('> li').nth(1)
    await second
      .getByText(/counts to three/)
      .first()
      .waitFor()
    await second.getByRole('button', { name: 'Compare attempt 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare attempt 2' })
    await dialog.getByRole('columnheader', { name: 'Attempt 1' }).waitFor()
    await dialog.getByRole('row', { name: /^Tokens in/ }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Escape')
    await second.getByRole('button', { name: 'Diff of attempt 2' }).click()
    await page.getByRole('combobox', { name: 'Compare' }).waitFor()
    const surface = page.locator('[data-diff-surface]')
    await surface.locator('[data-kind=removed]').getByText('1', { exact: true }).last().waitFor()
    await surface.locator('[data-kind=added]').getByText('2', { exact: true }).last().waitFor()
    await page.getByRole('combobox', { name: 'Compare' }).selectOption('Whole branch')
    await surface.locator('[data-kind=added]').getByText('3', { exact: true }).last().waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('chooses a retry policy, is told what is wrong with it, and sees when the next retry starts', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/again/b/re-2')
    await page.getByRole('button', { name: 'Run with options' }).waitFor()
    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'Run re-2' })
    await dialog.getByLabel('Note for the agent').fill('Try it twice.')
    const policy = dialog.getByText('Retry policy')
    expect(await dialog.getByLabel('Retries').isVisible()).toBe(false)
    for (let field = 0; field < 4; field++) await page.keyboard.press('Tab') // agent, model, plan, summary
    await page.keyboard.press('Enter') // opens the summary
    expect(await dialog.getByLabel('Retries').inputValue()).toBe('0')
    expect(await dialog.getByLabel('Delay').inputValue()).toBe('2s')
    expect(await dialog.getByLabel('Only if the error contains').inputValue()).toBe('exit code')

    await dialog.getByLabel('Retries').fill('11')
    await dialog.getByLabel('Delay').fill('2h')
    await dialog.getByLabel('Stop retrying after').fill('soon')
    await policy.click() // folded again: the mistake opens it
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog.getByText('At most 10.').waitFor()
    await dialog.getByText('At most 1 min.').waitFor()
    await dialog.getByText('Give a time such as').waitFor()
    const wrong = dialog.getByLabel('Retries')
    expect(await wrong.getAttribute('aria-invalid')).toBe('true')
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'retryCount')
    expect(await violationsInBothThemes(page)).toEqual([])
    expect((await stage.world.get<BeadView>('/api/projects/again/beads/re-2')).executions).toEqual([])

    await wrong.fill('2')
    await dialog.getByLabel('Delay').fill('60s')
    await dialog.getByLabel('Backoff').selectOption('fixed')
    await dialog.getByLabel('Stop retrying after').fill('5m')
    await dialog.getByRole('status').getByText('Retries after 1 min, 1 min, none later than 5 min').waitFor()
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('note')
      .getByText(/retried at \d\d:\d\d:\d\d \(in .*\), retry 1 of 2/)
      .waitFor()
    expect(await newest('re-2')).toMatchObject({
      context: 'Try it twice.',
      retryCount: 2,
      retryAttempt: 1,
      retry: {
        retryCount: 2,
        retryDelay: 60_000,
        retryBackoff: 'fixed',
        retryOn: ['exit code'],
        retryMaxTime: 300_000,
      },
    })
    await page.getByRole('tab', { name: 'Attempts' }).click()
    await page.getByText('Retries after 1 min, 1 min').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    // A waiting retry can start at once.
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page
      .getByRole('note')
      .getByText(/retry 2 of 2/)
      .waitFor()
    const events = await stage.world.events((await newest('re-2')).id)
    expect(events.filter(({ type }) => type === 'retry_now')).toHaveLength(1)

    // The system page: the first steps that are done, and the waiting container.
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL('**/p/again/system')
    const steps = page.getByRole('list', { name: 'First steps' })
    for (const step of ['Container engine reachable', 'Repository readable', 'First bead has run'])
      await steps
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^ok: ${step}`) })
        .waitFor()
    await page.getByRole('group', { name: 'Containers' }).getByRole('link', { name: 're-2' }).waitFor()
    await page
      .getByRole('list', { name: 'Checks' })
      .getByText(/^git 2/)
      .waitFor()
    await page.getByRole('img', { name: /^Events per minute/ }).waitFor()
    await page
      .getByRole('group', { name: 'Topics this page follows' })
      .getByRole('rowheader', { name: 'home' })
      .waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    await page.getByRole('link', { name: 'Board' }).click()
    await card(page, 're-2', 'running')
      .getByText(/^retry at \d\d:\d\d:\d\d$/)
      .waitFor()
    await card(page, 're-2').getByRole('button', { name: 'Cancel re-2' }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await card(page, 're-2', 'open').waitFor()
  })
})
