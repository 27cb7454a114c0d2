import { systemClock } from '../../process/clock.ts'
import { CannotStart, startProcess } from '../../process/start-process.ts'
import { within } from '../../process/within.ts'

/** The end of a program. `code` null: by a signal. `missing`: there is no such program, or it cannot be started. */
export type Ended = { code: number | null; out: string; err: string } | 'missing'

/** Runs a short program and reads its output. */
export type AskProgram = (program: string, args: readonly string[]) => Promise<Ended>

const LIMIT_MS = 60_000
const MOST_CHARACTERS = 64 * 1024

/** Runs it with this environment, and kills it after a minute: a manager that hangs must not keep the terminal. */
export const askProgramWith =
  (env: Record<string, string | undefined>): AskProgram =>
  async (program, args) => {
    let child: ReturnType<typeof startProcess>
    try {
      child = startProcess(program, args, { env })
    } catch (error) {
      if (error instanceof CannotStart) return 'missing'
      throw error
    }
    child.stdin.end()
    let [out, err] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out = (out + text).slice(0, MOST_CHARACTERS)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err = (err + text).slice(0, MOST_CHARACTERS)))
    const ended = new Promise<Ended>((resolve) => {
      child.once('error', () => resolve('missing'))
      child.once('close', (code) => resolve({ code, out, err }))
    })
    return within(
      systemClock,
      LIMIT_MS,
      () => child.kill('SIGKILL'),
      () => ended,
    )
  }
