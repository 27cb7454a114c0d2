import { presetNames, type AgentName, type PresetName } from '@beadloom/core/agents/agent-names.ts'
import type { BeadLine, Files } from './repository.ts'

/* One small project for each known agent, and the steps that the scripted model takes in it. */

export const SCENARIO = 'agents'

/** The agents to test: `AGENTS=pi,codex` chooses; `npm run test:agents` names all. */
export function agentsAsked(otherwise: PresetName | 'all'): PresetName[] {
  const named = process.env['AGENTS'] ?? otherwise
  const asked: string[] = named === 'all' ? presetNames : named.split(',')
  const unknown = asked.filter((name) => !presetNames.some((known) => known === name))
  if (unknown.length > 0)
    throw new Error(`AGENTS: there is no ${unknown.join(', ')}; there are ${presetNames.join(', ')}`)
  return presetNames.filter((name) => asked.includes(name))
}

/** A limit that no machine reaches: an agent's patience with a command is not tested here. */
const bash = (command: string) => ({ tool: 'bash', arguments: { command, timeout_seconds: 600 } })
const PUBLISH = 'git commit -qam "Greet the world" && git push -q origin HEAD'

/** The file that lets an agent continue from outside. */
export const WAITING = '/tmp/go-on'

/** The reviewer's answer. */
export const found = {
  issues: [
    {
      title: 'Nobody else is greeted',
      description: 'greet.sh takes no name.',
      priority: 2,
      type: 'feature',
      severity: 'low',
      file_path: 'greet.sh',
      line_numbers: [2],
    },
  ],
  summary: 'It greets the world.',
  pr_ready: true,
}

export const turns = {
  /** Reads the diff, tries to change the branch, and ends with its document. */
  review: [
    { say: 'I read the change.', calls: [bash('git log -1 --stat; cat greet.sh')] },
    {
      say: 'Can I mend it myself?',
      calls: [
        bash('git commit -q --allow-empty -m "Mended" && git push -q origin HEAD:beadloom/work; echo "pushed=$?"'),
      ],
    },
    { say: 'I have seen enough.' },
    { document: found },
  ],
  /** Reads, edits, runs the tests, commits and pushes. */
  done: [
    { say: 'I look first.', calls: [{ tool: 'read_file', arguments: { path: 'greet.sh' } }] },
    {
      say: 'Now the greeting.',
      calls: [
        { tool: 'edit_file', arguments: { path: 'greet.sh', old_text: 'echo hello', new_text: 'echo hello, world' } },
      ],
    },
    { say: 'The tests.', calls: [bash('sh test.sh')] },
    { say: 'They pass; I commit.', calls: [bash(PUBLISH)] },
    { say: 'Done: the greeting names the world.' },
  ],
  /** Looks around, then asks something. */
  blocked: (probe: string) => [
    { say: 'I look around.', calls: [bash(probe)] },
    { say: 'I cannot know that.\nBLOCKED: which language should the greeting be in?' },
  ],
  /** Runs a command that would take an hour. */
  long: [{ say: 'This takes a while.', calls: [bash('echo begun; sleep 3600')] }, { say: 'Done.' }],
  /** Repeats the same call, for longer than any limit. */
  again: Array.from({ length: 500 }, () => ({ say: 'I look again.', calls: [bash('echo look')] })),
  /** Waits in the middle of a command. */
  waiting: [
    {
      say: 'I wait for a sign.',
      calls: [
        bash(`until [ -e ${WAITING} ]; do sleep 0.2; done; sed -i "s/hello/hello, world/" greet.sh; cat greet.sh`),
      ],
    },
    { say: 'There it is; I commit.', calls: [bash(PUBLISH)] },
    { say: 'Done: the greeting names the world.' },
    { say: 'As you say: I have read it.' }, // only in a conversation that continues
  ],
}

/** The question that the agent of `a-6` has. */
export const QUESTION = 'who should be greeted?'

/** Waits in the middle of a command, then asks, and does its work once it has the answer. */
const asking = [
  {
    say: 'I wait for a sign.',
    calls: [bash(`until [ -e ${WAITING} ]; do sleep 0.2; done; cat greet.sh`)],
  },
  { say: `I cannot know that.\nBLOCKED: ${QUESTION}` },
  {
    say: 'So be it.',
    calls: [bash(`sed -i "s/hello/hello, world/" greet.sh && ${PUBLISH}`)],
  },
  { say: 'Done: the greeting names the world.' },
]

export const scenarioText = (probe: string): string =>
  JSON.stringify({
    name: SCENARIO,
    about: 'Small beads for any agent.',
    beads: {
      'a-1': { turns: turns.done },
      'a-2': { turns: turns.blocked(probe) },
      'a-3': { turns: turns.again },
      'a-4': { turns: turns.long },
      'a-5': { turns: turns.waiting },
      'a-6': { turns: asking },
      'review:a-1': { turns: turns.review },
    },
  })

export const beads: BeadLine[] = [
  { id: 'a-1', title: 'Greet the world' },
  { id: 'a-2', title: 'Greet in another language' },
  { id: 'a-3', title: 'Greet at length' },
  { id: 'a-4', title: 'Greet slowly' },
  { id: 'a-5', title: 'Greet at a sign' },
  { id: 'a-6', title: 'Greet whoever is named' },
]

type AgentsConfig = { verification?: object; [setting: string]: unknown }

/** The project's files. Its check fails until an agent makes it pass. */
export const filesFor = (agent: AgentName, { verification, ...config }: AgentsConfig = {}): Files => ({
  'greet.sh': '#!/bin/sh\necho hello\n',
  'test.sh': 'test "$(sh greet.sh)" = "hello, world"\n',
  'beadloom.json': JSON.stringify({
    techStack: ['Shell'],
    test: 'sh test.sh',
    setup: null,
    agent,
    model: 'scripted',
    scenario: SCENARIO,
    autopilot: false,
    verification: { proveBase: false, ...verification },
    ...config,
  }),
})

/**
 * A script that searches its container for anything it should not find, and prints lines `name=value`. `places`:
 * `host:port` of servers that exist outside. Every search also looks for something planted, which proves that it works.
 */
export const probe = (places: readonly string[]): string => `exec 2>/dev/null
k='[c]anary-key-'
planted=$(printf can; printf ary-key-planted)
mkdir -p /tmp/probe; echo "$planted" > /tmp/probe/planted
echo "files=$(grep -rlsa -D skip "$k" "$HOME" /opt /tmp /run /etc /workspace | tr '\\n' ' ')"
echo "environment=$(env | grep -c "$k")"
echo "environments=$(P=$planted sh -c 'cat /proc/[0-9]*/environ' | tr '\\0' '\\n' | grep -a "$k" | sort -u | tr '\\n' ' ')"
echo "processes=$(sh -c 'cat /proc/[0-9]*/cmdline' "$planted" | tr '\\0' '\\n' | grep -a "$k" | sort -u | tr '\\n' ' ')"
echo "gateway=$(curl -s -m 5 http://127.0.0.1:4610/v1/models | grep -c scripted) $(curl -s -m 5 http://127.0.0.1:4610/v1/models | grep -c "$k")"
echo "interfaces=$(ls /sys/class/net | tr '\\n' ' ')"
for place in ${places.join(' ')}; do
  echo "reached $place=$(curl -s -m 3 -o /dev/null -w '%{http_code}' "http://$place/")"
done
echo "names=$(getent hosts registry.npmjs.org | wc -l)"
echo "socket=$(ls /var/run/docker.sock /run/docker.sock | wc -l)"
`

/** The probe's lines, wherever they are in an agent's text for a result. */
export function foundIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^\s*([a-z]+(?: [\w.:-]+)?)=(.*?)\s*$/gm)].map(([, name, value]) => [name, value]),
  )
}
