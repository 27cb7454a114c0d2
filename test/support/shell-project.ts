import type { Files } from './repository.ts'

/** Commands of an agent after its change, as the prompt asks. */
export const commitAndPush = (id: string, title: string): string =>
  `git add -A && git commit -q -m "Bead ${id}: ${title}" && git push -q\n`

/**
 * `testsFirst`: its checks fail until its agent makes them pass, so its base is not proved. Default: whether it has
 * checks of its own.
 */
export type ShellProject = { agent: string; test?: string; config?: object; testsFirst?: boolean }

/**
 * A project whose agent is a shell script, so everything that can happen to an execution can be played without a model.
 * The prompt is on the script's standard input.
 */
export function shellProject({ agent, test, config = {}, testsFirst }: ShellProject): Files {
  const own: { test?: unknown; verify?: unknown; verification?: object } = config
  const hasChecks = test !== undefined || own.verify !== undefined || (own.test !== undefined && own.test !== 'true')
  return {
    'beadloom.json': JSON.stringify({
      techStack: ['Shell'],
      agent: 'command',
      command: 'sh agent.sh',
      test: 'sh test.sh',
      setup: null,
      ...config,
      ...((testsFirst ?? hasChecks) && { verification: { proveBase: false, ...own.verification } }),
    }),
    'agent.sh': agent,
    'test.sh': test ?? 'true\n',
    'README.md': 'A sample.\n',
  }
}
