// @suite policy-long
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Two beads change the same lines at the same time. The later work is good alone and cannot be merged: it goes back to
 * its agent with both sides. Only a conflict that the agent cannot resolve waits for a person.
 */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

/** The second bead begins while the first one runs, and ends after the first one is merged. */
const waits = `cat > /tmp/prompt; cat /tmp/prompt
case "$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt | head -1)" in
  *-1) echo one > shared.txt; ${commitAndPush('jo-1', 'Say one')} exit;;
esac
test -e .git/begun || { touch .git/begun; echo started
  until git fetch -q origin && git cat-file -e origin/beadloom/work:shared.txt 2> /dev/null; do sleep 0.2; done; }
`

async function sideBySide(project: string, second: string, more: { test?: string; config?: object } = {}) {
  const agent = `${waits}${second}`
  const { remote } = await world.addProject(project, shellProject({ agent, ...more }), [
    { id: 'jo-1', title: 'Say one' },
    { id: 'jo-2', title: 'Say two' },
  ])
  const { id } = await world.queue(project, 'jo-2')
  await world.printed(id, 'started')
  expect(await world.run(project, 'jo-1')).toMatchObject({ state: 'COMPLETED' })
  return { remote, ended: await world.ended(id) }
}

const joins = `if grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt; then
  git merge -q origin/beadloom/work || true
  printf 'one\ntwo\n' > shared.txt
else
  echo two > shared.txt
fi
${commitAndPush('jo-2', 'Say two')}`

/** The prompt, as the agent printed it. */
const promptOf = async ({ sessions }: ExecutionView, attempt: number) => {
  const log = await world.log(sessions.find((one) => one.kind === 'work' && one.attempt === attempt)?.id ?? '')
  return log.replaceAll(/^› /gm, '')
}
const asked = async ({ id }: ExecutionView) =>
  (await world.events(id)).flatMap(({ type, data }) => (type === 'push_conflict' ? [data] : []))

describe('work that conflicts with earlier merges', () => {
  test('goes back to its agent with both sides, and is published once the two are joined', async () => {
    const { remote, ended } = await sideBySide('joined', joins)
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2, maxAttempts: 3, followUps: [] })
    expect(git(remote, 'show', 'beadloom/work:shared.txt')).toBe('one\ntwo')
    expect(await asked(ended)).toMatchObject([{ branch: 'beadloom/work', files: ['shared.txt'], join: 1, of: 2 }])
    const prompt = await promptOf(ended, 2)
    expect(prompt).toContain('PREVIOUS ATTEMPT 1 CONFLICTS WITH OTHER WORK')
    expect(prompt).toContain("run 'git merge origin/beadloom/work'")
    expect(prompt).toContain('- `shared.txt`')
    expect(prompt).toContain('- jo-1: Say one')
    expect(prompt).toMatch(/as this task changed it:\n```text\n[^`]*\+two/)
    expect(prompt).toMatch(/as it was changed meanwhile:\n```text\n[^`]*\+one/)
    expect(ended.verifications.map(({ name, attempt, passed }) => [name, attempt, passed])).toEqual([
      ['test', 1, true],
      ['joined', 1, false],
      ['test', 2, true],
    ])
  })

  test('has an attempt for it even if the project allows only one', async () => {
    const config = { verification: { maxAttempts: 1, proveBase: false } }
    const { ended } = await sideBySide('once', joins, { config })
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2, maxAttempts: 2 })
  })

  test('is checked in its joined form: two sides that fail together go back once more', async () => {
    const careless = `if grep -q 'FAILED VERIFICATION' /tmp/prompt; then printf 'one\\ntwo\\n' > shared.txt
elif grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt; then
  git merge -q origin/beadloom/work || true; printf 'two\\n' > shared.txt
else echo two > shared.txt; fi
${commitAndPush('jo-2', 'Say two')}`
    const check = 'git log --format=%s | grep -q "Say one" || exit 0; grep -q one shared.txt\n'
    const { remote, ended } = await sideBySide('careless', careless, { test: check })
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 3 })
    expect(git(remote, 'show', 'beadloom/work:shared.txt')).toBe('one\ntwo')
  })

  test('waits for a person, with a sentence, when its agent cannot join it', async () => {
    const { remote, ended } = await sideBySide('stubborn', `date +%N > shared.txt\n${commitAndPush('jo-2', 'Say two')}`)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'push_conflict', attempt: 3 })
    expect(ended.detail).toContain(
      'beadloom/work has other changes in shared.txt, and its agent did not join the two in 2 attempts',
    )
    expect((await asked(ended)).map((data) => (data as { join?: number }).join)).toEqual([1, 2, undefined])
    expect(git(remote, 'show', 'beadloom/work:shared.txt')).toBe('one')
    const { items } = await world.get<{ items: BeadView[] }>('/api/projects/stubborn/beads')
    expect(items.filter(({ labels }) => labels.includes('needs-human'))).toHaveLength(1)
  })

  test('ends at once when the agent changes nothing about it', async () => {
    const idle = `grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt || { echo two > shared.txt; ${commitAndPush('jo-2', 'Say two').trim()}; }\n`
    const { ended } = await sideBySide('idle', idle)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'push_conflict', attempt: 2 })
    expect(ended.detail).toContain('its agent did not join the two in one attempt')
  })
})
