// @suite dashboard
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { author, blog, blogProject, ready } from '../support/blog.ts'
import { planText, print } from '../support/planned.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/*
 * Work by a plan on a real server; architect, authors and reviewer are shell scripts. The reviewer rejects the second
 * phase once.
 */
const untidy = author.replace(
  'echo users > users.txt',
  'echo users > users.txt; grep -q Retry /tmp/prompt || touch junk.txt',
)
const no = JSON.stringify({ issues: [], summary: 'Not yet.', pr_ready: false })
const reviewer = `cat > /tmp/prompt
if grep -q junk.txt /tmp/prompt; then cat <<'END'
${no}
END
else cat <<'END'
${ready}
END
fi
`
const start = async () => {
  const world = await World.start({ engine: 'process' })
  const project = blogProject({ author: untidy, reviewer, config: { planning: { command: 'sh architect.sh' } } })
  await world.addProject('planned', { ...project, 'architect.sh': print(planText(blog)) }, [
    { id: 'pl-1', title: 'A blog' },
  ])
  return world
}

onStage('a person who has a bead planned', start, (stage) => {
  test('asks for a plan, approves it, and follows it phase by phase to the end', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/planned/b/pl-1')
    await page.getByRole('button', { name: 'Run with options' }).click()
    await page.getByLabel('Plan', { exact: true }).selectOption('ask')
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'Plan' }).click()
    await page.getByText('This plan waits for your approval').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()

    const tree = page.getByRole('tree', { name: 'Phases and subtasks' })
    for (const phase of [1, 2, 3])
      await tree.getByRole('treeitem', { name: new RegExp(`^Done Phase ${phase}`) }).waitFor()
    expect(await tree.getByRole('treeitem', { name: /^Done Phase 2/ }).textContent()).toContain('attempt 2')
    await tree.getByRole('treeitem', { name: /^Done Phase 2/ }).click()
    const facts = page.getByRole('region', { name: 'Phase 2' })
    await facts.getByText('Rejected').waitFor()
    await facts.getByText('Not yet.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    const { executions } = await stage.world.get<BeadView>('/api/projects/planned/beads/pl-1')
    const work = executions.find(({ kind }) => kind === 'work')
    if (!work) throw new Error('it was not worked on')
    await stage.world.ended(work.id)
    // The pipeline and the tab agree: tests failed as they should, and a review rejected.
    const list = page.getByRole('list', { name: 'Pipeline' })
    const marked = async (title: RegExp) => (await list.getByRole('button', { name: title }).allTextContents()).join()
    await list.getByRole('button', { name: /\d+ earlier$/ }).click()
    await list.getByRole('button', { name: /Phase 3 · review/ }).waitFor()
    expect(await marked(/Phase 1 · checks/)).toMatch(/^succeeded/)
    expect(await marked(/Phase 2 · review/)).toMatch(/^Rejected/)
    expect(await marked(/Phase 2, again · review/)).toMatch(/^succeeded/)
    await facts.getByRole('link', { name: /^Changes of the commit/ }).click()
    // The whole branch may show until its commits are known: both name users.txt, only the branch names page.txt.
    const diff = page.locator('[data-diff-surface]')
    await diff.getByText('users.txt').first().waitFor()
    await diff.getByText('page.txt').first().waitFor({ state: 'detached' })
  })
})
