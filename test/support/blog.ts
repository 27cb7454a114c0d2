import { expect } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Files } from './repository.ts'
import { plannedProject, planText, subtask } from './planned.ts'
import type { World } from './world.ts'

/* A bead with a plan; author and reviewer are shell scripts. */

/** Three phases: a test of two files, both files at once, and a page that needs both. */
export const blog = [
  subtask('1', { title: 'Test users and posts', filesTouched: ['test.sh'] }),
  subtask('2a', { title: 'Users', type: 'impl', dependsOn: ['1'], filesTouched: ['users.txt'] }),
  subtask('2b', { title: 'Posts', type: 'impl', dependsOn: ['1'], filesTouched: ['posts.txt'] }),
  subtask('3', { title: 'Page', type: 'refactor', dependsOn: ['2a', '2b'], filesTouched: ['page.txt'] }),
]

/** Writes the files of each subtask, and prints its prompt to its log. */
export const author = `cat > /tmp/prompt; cat /tmp/prompt >&2
case "$(sed -n 's/^\\*\\*Subtask:\\*\\* //p' /tmp/prompt)" in
  'Test users and posts') printf 'test -f users.txt && test -f posts.txt\\n' > test.sh ;;
  Users) test -f .beadloom/execution/plan.md; test ! -e posts.txt; echo users > users.txt ;;
  Posts) test ! -e users.txt; echo posts > posts.txt ;;
  Page) cat users.txt posts.txt > page.txt ;;
esac
`
export const ready = JSON.stringify({ issues: [], summary: 'Fine.', pr_ready: true })
const reviewer = `cat > /tmp/prompt; cat /tmp/prompt >&2\ncat <<'END'\n${ready}\nEND\n`

export type Blog = {
  author?: string
  reviewer?: string
  architect?: string
  planning?: object
  plan?: object[]
  config?: object
  files?: Files
  bead?: object
  /** A person's note for the execution. */
  note?: string
}
export const blogProject = (given: Blog = {}) =>
  plannedProject({
    agent: given.author ?? author,
    architect: given.architect ?? 'exit 1\n',
    planning: given.planning ?? {},
    config: { review: { command: 'sh reviewer.sh' }, ...given.config },
    files: { 'reviewer.sh': given.reviewer ?? reviewer, ...given.files },
  })

/** Adds the project with its bead and plan, and runs it to the end. */
export async function runBlog(
  world: World,
  project: string,
  bead: string,
  given: Blog = {},
): Promise<{ remote: string; ended: ExecutionView }> {
  const { remote } = await world.addProject(project, blogProject(given), [{ id: bead, title: 'A blog', ...given.bead }])
  const at = `/api/projects/${project}/beads/${bead}/plan`
  const { status } = await world.api('PUT', at, JSON.parse(planText(given.plan ?? blog)))
  expect(status).toBe(200)
  return { remote, ended: await world.run(project, bead, given.note === undefined ? {} : { context: given.note }) }
}
