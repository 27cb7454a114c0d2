import { WAITING } from './agent-beads.ts'
import type { BeadLine, Files } from './repository.ts'

/* A bead that any agent plans and does in three phases, two subtasks at a time, and the steps of the scripted model. */

export const SCENARIO = 'planned'
export const BEAD = 'p-1'
export const beads: BeadLine[] = [{ id: BEAD, title: 'Greet and take leave', issue_type: 'feature' }]

/** Each file in `tests` is a test; the first failure ends the run. */
export const files: Files = {
  'greet.sh': '#!/bin/sh\necho hello\n',
  'test.sh': 'for one in tests/*.sh; do [ ! -e "$one" ] || sh "$one" || exit 1; done\n',
}

const subtask = (id: string, title: string, file: string, dependsOn: string[] = []) => ({
  id,
  title,
  description: `${title}, in \`${file}\` and nowhere else.`,
  type: id.startsWith('1') ? 'test' : id.startsWith('2') ? 'impl' : 'refactor',
  dependsOn,
  filesTouched: [file],
})

export const plan = {
  goal: 'There is a greeting and a farewell, and a script that says both.',
  planMarkdown: '## Greeting\n\n`greet.sh` greets the world.\n\n## Farewell\n\n`bye.sh` takes leave of it.\n',
  subtasks: [
    subtask('1a', 'Test the greeting', 'tests/greet.sh'),
    subtask('1b', 'Test the farewell', 'tests/bye.sh'),
    subtask('2a', 'Greet the world', 'greet.sh', ['1a']),
    subtask('2b', 'Take leave of the world', 'bye.sh', ['1b']),
    subtask('3', 'Say both', 'both.sh', ['2a', '2b']),
  ],
}

const bash = (command: string) => ({ tool: 'bash', arguments: { command, timeout_seconds: 600 } })
const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } })
/** Waits in a command until released from outside, so both subtasks are seen at work. */
const both = bash(`until [ -e ${WAITING} ]; do sleep 0.2; done; cat .beadloom/execution/phase-1/summary.md`)
const yes = { issues: [], summary: 'As it was planned.', pr_ready: true }

/** The steps, by a session's purpose. */
const scripts = {
  [`plan:${BEAD}`]: [
    { say: 'I look at what is there.', calls: [bash('git log --oneline -1 && ls && cat greet.sh test.sh')] },
    { say: 'I know what is to be done.' },
    { document: plan },
  ],
  [`${BEAD}:1a`]: [
    { say: 'A test of the greeting.', calls: [write('tests/greet.sh', 'test "$(sh greet.sh)" = "hello, world"\n')] },
    { say: 'It fails, as it should.', calls: [bash('sh test.sh; echo "ended with $?"')] },
    { say: 'The test is written.' },
  ],
  [`${BEAD}:1b`]: [
    { say: 'A test of the farewell.', calls: [write('tests/bye.sh', 'test "$(sh bye.sh)" = "goodbye, world"\n')] },
    { say: 'The test is written.' },
  ],
  // It commits and pushes, although it was told not to.
  [`${BEAD}:2a`]: [
    { say: 'What was done before me?', calls: [both] },
    { say: 'First how it is.', calls: [{ tool: 'read_file', arguments: { path: 'greet.sh' } }] },
    {
      say: 'Now the greeting.',
      calls: [
        { tool: 'edit_file', arguments: { path: 'greet.sh', old_text: 'echo hello', new_text: 'echo hello, world' } },
      ],
    },
    {
      say: 'I publish it.',
      calls: [bash('git commit -qam "Mine alone" && git push -q origin HEAD HEAD:beadloom/work; echo "pushed=$?"')],
    },
    { say: 'The world is greeted.' },
  ],
  [`${BEAD}:2b`]: [
    { say: 'What was done before me?', calls: [both] },
    { say: 'The farewell.', calls: [write('bye.sh', '#!/bin/sh\necho goodbye, world\n')] },
    { say: 'Only my own test can pass here.', calls: [bash('sh tests/bye.sh && ls')] },
    { say: 'The world is taken leave of.' },
  ],
  [`${BEAD}:3`]: [
    { say: 'Is everything there?', calls: [bash('sh test.sh && cat .beadloom/execution/phase-2/summary.md')] },
    { say: 'Both in one.', calls: [write('both.sh', '#!/bin/sh\nsh greet.sh && sh bye.sh\n')] },
    { say: 'Both are said.', calls: [bash('sh both.sh')] },
    { say: 'Done.' },
  ],
  [`review:${BEAD}`]: [
    { say: 'I read the change.', calls: [bash('git log -1 --format=%s; git show --stat HEAD; sh test.sh; echo $?')] },
    { say: 'I have seen enough.' },
    { document: yes },
  ],
}

export const scenarioText: string = JSON.stringify({
  name: SCENARIO,
  about: 'A bead that is planned, and done in phases, for any agent.',
  beads: Object.fromEntries(Object.entries(scripts).map(([what, turns]) => [what, { turns }])),
})
