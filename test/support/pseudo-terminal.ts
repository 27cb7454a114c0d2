import { spawn, type ChildProcess } from 'node:child_process'
import { bin, cleanEnv, type Ended } from './command-line.ts'

/** Quoted for `sh`, which `script` starts. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** One `beadloom …` on a pseudo-terminal (by `script` of util-linux), with a keyboard. */
export class PseudoTerminal {
  readonly #child: ChildProcess
  readonly ended: Promise<Ended>
  /** Everything that the terminal received. */
  output = ''
  readonly #listeners = new Set<() => void>()
  #over = false

  constructor(args: string[], { columns, rows, env = {} }: { columns: number; rows: number; env?: NodeJS.ProcessEnv }) {
    const command = [process.execPath, bin, ...args].map(quoted).join(' ')
    const script = `stty cols ${columns} rows ${rows}; exec ${command}`
    this.#child = spawn('script', ['-qefc', script, '/dev/null'], {
      env: { ...cleanEnv(), TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(() => (this.output += text)))
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.#hear(() => (this.#over = true))
        resolve({ code, stdout: this.output, stderr: '' })
      })
    })
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  /** Resolves once it has shown a match; throws if it ends without one. */
  async shows(what: RegExp): Promise<void> {
    while (!what.test(this.output)) {
      if (this.#over) throw new Error(`it ended without showing ${what}:\n${this.output}`)
      await new Promise<void>((resolve) => this.#listeners.add(resolve))
    }
  }

  #hear(change: () => void): void {
    change()
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}
