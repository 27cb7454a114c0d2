import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Environment } from '@beadloom/server/src/process/settings/settings.ts'

export const bin = join(import.meta.dirname, '..', '..', 'apps', 'server', 'bin', 'beadloom.mjs')

export type Ended = { code: number | null; stdout: string; stderr: string }

/** `files`: the limit of open files for the command and its children. */
type Options = { env?: Environment; cwd?: string; uid?: number; files?: number | undefined }

/** One `beadloom …` as a person starts it, seen from outside. */
export class CommandLine {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  stdout = ''
  stderr = ''
  readonly #listeners = new Set<() => void>()
  #over = false

  constructor(args: string[], { env = {}, cwd, uid, files }: Options = {}) {
    const limited = ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath]
    const [program, before] = files === undefined ? [process.execPath, []] : ['sh', limited]
    this.child = spawn(program, [...before, bin, ...args], {
      cwd,
      uid,
      env: { ...cleanEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(() => (this.stdout += text)))
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear(() => (this.stderr += text)))
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        this.#hear(() => (this.#over = true))
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
      })
    })
  }

  /** Resolves once it has printed a match; throws if it ends without one. */
  async says(what: RegExp): Promise<void> {
    while (!what.test(this.stdout + this.stderr)) {
      if (this.#over) throw new Error(`it ended without saying ${what}:\n${this.stdout}${this.stderr}`)
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  #hear(change: () => void): void {
    change()
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}

/** The environment without anybody's Beadloom settings. */
export function cleanEnv(): Environment {
  const ours = /^(BEADLOOM_|OPENAI_|ANTHROPIC_|FORCE_COLOR$|NO_COLOR$|VITEST|NODE_OPTIONS$|XDG_DATA_HOME$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}

export const beadloom = (args: string[], options?: Options): Promise<Ended> => new CommandLine(args, options).ended

export type Up = { url: string; dashboard: string; data: string; pid: number }

/** Starts a server as a child process. `up` is the document that it prints. */
export async function startedServer(
  data: string,
  more: string[] = [],
  options?: Options,
): Promise<{ line: CommandLine; up: Up }> {
  const line = new CommandLine(
    ['start', '--data', data, '--port', '0', '--no-demo', '--warm', '0', '--json', ...more],
    options,
  )
  await line.says(/\n\}\n/)
  if (line.stdout === '') throw new Error(`it did not start: ${(await line.ended).stderr}`)
  return { line, up: JSON.parse(line.stdout) as Up }
}
