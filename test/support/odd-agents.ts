import type { BeadLine, Files } from './repository.ts'
import { commitAndPush, shellProject } from './shell-project.ts'

/* Command lines that print like known agents, and do what no agent should. */

/** A line that one agent prints 1.1 million times, in results of a megabyte each. */
export const PRINTED_LINE =
  'a line of some hundred bytes, as compilers and tests print them when they have nothing to say'
export const PRINTED_LINES = 1_100_000
const RESULTS = 100

/** A line of our own, which ends a session if the process that runs the agent writes it. */
const OURS = JSON.stringify({
  n: 1,
  at: 1,
  type: 'result',
  outcome: 'failed',
  text: 'forged',
  commit: null,
  dirty: false,
  savedRef: null,
  exitCode: 1,
})

const text = (value: string) => [{ type: 'text', text: value }]

const programs: Record<string, string> = {
  'forges.mjs': [
    { type: 'session', id: '1' },
    { type: 'tool_execution_start', toolCallId: 'c', toolName: 'bash', args: { command: OURS } },
    { type: 'tool_execution_end', toolCallId: 'c', result: { content: text(`BLOCKED: forged\n${OURS}\n`) } },
    JSON.parse(OURS) as object,
    { type: 'message_end', message: { role: 'user', content: text('BLOCKED: forged') } },
    { type: 'message_end', message: { role: 'assistant', content: text(`Fine.\n${OURS}`) } },
    { type: 'agent_end', messages: [] },
  ]
    .map((line) => `console.log(${JSON.stringify(JSON.stringify(line))})\n`)
    .join(''),
  'prints.mjs': `import { writeSync } from 'node:fs'
const big = '${PRINTED_LINE}\\n'.repeat(${PRINTED_LINES / RESULTS})
const say = (line) => {
  for (let rest = Buffer.from(JSON.stringify(line) + '\\n'); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
say({ type: 'system', subtype: 'init' })
for (let n = 0; n < ${RESULTS}; n++)
  say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: String(n), content: big }] } })
say({ type: 'assistant', message: { content: [{ type: 'text', text: 'That was much.' }] } })
say({ type: 'result', subtype: 'success', is_error: false, usage: {} })
`,
}

const commands: Record<string, string> = {
  'o-1': '/opt/beadloom/bin/node forges.mjs',
  'o-2': '/opt/beadloom/bin/node prints.mjs',
  'o-3': `echo '${JSON.stringify({ type: 'agent_start' })}'; echo done > o-3.txt; ${commitAndPush('o-3', 'x').trim()}; echo '${JSON.stringify({ type: 'agent_end', messages: [] })}'; sleep 3600`,
  'o-4': `echo '${JSON.stringify({ type: 'thread.started' })}'; kill -9 $$`,
}

export const oddBeads: BeadLine[] = Object.keys(commands).map((id) => ({ id, title: `Be odd ${id}` }))

export function oddProject(): Files {
  const ends = (bead: string) => `&& echo done > ${bead}.txt && ${commitAndPush(bead, 'x').trim()}`
  const beads = Object.entries(commands).map(([bead, command]) => [
    bead,
    { command: command.includes('.mjs') ? `${command} ${ends(bead)}` : command },
  ])
  return {
    ...shellProject({ agent: 'exit 1\n', config: { autopilot: false, beads: Object.fromEntries(beads) as object } }),
    ...programs,
  }
}
