// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DiffView, PatchView } from '@beadloom/core/api/executions/diff-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A file name that no program can get as an argument hides nothing of the file's changes. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const tests =
  'test("adds", () => { expect(add(1, 1)).toBe(2) })\\ntest("greets", () => { expect(greet()).toBe("hi") })\\n'
const name = '"$(printf \'test/caf\\351.test.js\')"'
/** The first bead adds the tests, the second one removes some, in the way that its title says. */
const agent = `cat > /tmp/prompt.$$
mkdir -p test
case $(cat /tmp/prompt.$$) in
  *"Add tests"*) printf '${tests}' > ${name}; ;;
  *"Fewer tests"*) sed -i /greets/d ${name}; ;;
  *"Zero byte"*) sed -i /greets/d ${name}; printf '// \\0\\n' >> ${name}; ;;
  *"Link"*) printf '' > empty.js; ln -sf ../empty.js ${name}; ;;
  *"Attributes"*) sed -i /greets/d ${name}; echo '*.js -diff' > .gitattributes; ;;
esac
git add -A; git diff --cached --quiet || ${commitAndPush('on-1', 'Names')}`

const path = 'test/caf\\xE9.test.js'

test('weaker tests in a file whose name is no UTF-8 are refused, and its patch is shown', async () => {
  const titles = ['Add tests', 'Fewer tests', 'Zero byte', 'Link', 'Attributes']
  const beads = titles.map((title, at) => ({ id: `on-${at + 1}`, title }))
  const config = {
    verification: { maxAttempts: 1 },
    verify: [{ type: 'test', name: 'tests', command: 'ls test/*.test.js' }],
  }
  await world.addProject('odd', shellProject({ agent, config }), beads)
  expect(await world.run('odd', 'on-1')).toMatchObject({ state: 'COMPLETED' })
  for (const { id, title } of beads.slice(1)) {
    const ended = await world.run('odd', id)
    expect([title, ended.state, ended.verifications.at(-1)?.name]).toEqual([title, 'FAILED', 'tests kept'])
    expect(ended.verifications.at(-1)?.findings?.join()).toContain(path)
    const { files } = await world.get<DiffView>(`/api/executions/${ended.id}/diff`)
    expect(files.map((file) => file.path)).toContain(path)
    const asked = `/api/executions/${ended.id}/diff?path=${encodeURIComponent(path)}`
    const { patch } = await world.get<PatchView>(asked)
    expect(patch).toContain(title === 'Zero byte' ? 'Binary files' : '-test("greets"')
  }
})
