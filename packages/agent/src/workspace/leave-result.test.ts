// @suite unit-long
import type { AgentOrder, Work } from '@beadloom/core/execution/session-order.ts'
import { beforeEach, expect, test } from 'vitest'
import { ScriptedModel } from '../testing/scripted-model.ts'
import { branch, saveRef, startKit, workBy, workWith, type Kit } from '../testing/session-kit.ts'
import { git } from '../testing/test-hub.ts'

/* The result of a subtask, and how its agent left it. */
let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const subtask = (command: string): Work => Object.assign(workBy(command), { leaves: saveRef })

test.each([
  ['in a commit', 'echo 1 > a; git add a; git commit -qm own', 2],
  ['in a commit that replaces the first one', 'echo 1 > a; git add a; git commit -q --amend -m own', 2],
  ['in a commit, and more', 'echo 0 > a; git add a; git commit -qm own; echo 1 > a', 2],
  [
    'in a commit, and a file of the same size and time as there',
    'echo 0 > a; touch -d @1700000000 a; git add a; git commit -qm own; touch -d @1700000000 .git/index; echo 1 > a; touch -d @1700000000 a',
    2,
  ],
  ['in no commit', 'echo 1 > a', 1],
])("an agent's leftovers %s are a commit of ours, on top of its own", async (_what, command, commits) => {
  const result = await kit.run(subtask(command))
  expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(saveRef) })
  expect(await git(kit.hub.bare, 'show', `${saveRef}:a`)).toBe('1')
  expect(await git(kit.hub.bare, 'rev-list', '--count', saveRef, '--not', kit.base)).toBe(String(commits))
  expect(await kit.hub.tip(branch)).toBe(kit.base)
})

test('an agent that changed nothing leaves the commit where it began', async () => {
  expect(await kit.run(subtask('true'))).toMatchObject({ outcome: 'success', commit: kit.base })
})

const builtIn: AgentOrder = { name: 'openai', model: 'm', maxSteps: 5, toolTimeoutMs: 1000, toolOutputLimit: 1000 }

test('the built-in agent is told that it pushes only if the hub accepts that, so not in a part of a plan', async () => {
  const model = await ScriptedModel.start({ text: 'Done.' }, { text: 'Done.' })
  await kit.run(workWith(builtIn), { linkUrl: model.url })
  await kit.run(Object.assign(workWith(builtIn), { leaves: saveRef }), { linkUrl: model.url })
  const [alone, part] = model.asked.map(({ messages }) => String(messages[0]?.content))
  expect(alone).toContain('git push and git pull --rebase work as they are')
  expect(part).toContain('do not commit or push')
  expect(part).not.toContain('git push')
})
