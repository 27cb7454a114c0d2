import { oneLine } from '../../text/one-line.ts'

/** Keys are 128 plus the number of a signal, as a shell reports it. */
const BY_SIGNAL: Readonly<Record<number, string>> = {
  130: 'It was interrupted (SIGINT), which only a program of its own can have done.',
  131: 'It was ended by SIGQUIT, which only a program of its own can have sent.',
  132: 'A program of it has instructions that this machine does not know (SIGILL): it was built for a newer processor.',
  134: 'A program of it gave up (SIGABRT), often for lack of memory: its last lines say why. More is in "limits.memoryMb" in beadloom.json.',
  135: 'A program of it crashed (SIGBUS), often because a file that it had open was cut off or the disk is full.',
  136: 'A program of it crashed in a calculation (SIGFPE).',
  137: 'It was killed (SIGKILL), mostly for lack of memory: raise "limits.memoryMb" in beadloom.json, or let it do less at once.',
  139: 'A program of it crashed (SIGSEGV): its versions may not fit together, or it was built for another system. Take another version of it.',
  141: 'A program of it wrote to one that had ended (SIGPIPE), as in: … | head.',
  143: 'It was asked to end (SIGTERM), which only a program of its own can have done: look for a time limit in it.',
}

const TIMED_OUT = 124
const NOT_EXECUTABLE = 126

/** `sh: 1: ./install.sh: Permission denied`, with any shell in front. */
const DENIED =
  /(?:^|: )(?<file>[^\s:]{1,200}): (?<why>Permission denied|Exec format error|cannot execute|bad interpreter)/m

/** Explains a cryptic exit code, and says what to do. Null: the program chose the code itself. */
export function exitCodeWords(exitCode: number | null, output = ''): string | null {
  if (exitCode === null) return null
  if (exitCode === NOT_EXECUTABLE) return notExecutable(output)
  if (exitCode === TIMED_OUT)
    return 'A time limit of its own (timeout) was over: make it longer, or what it waits for faster.'
  return BY_SIGNAL[exitCode] ?? null
}

function notExecutable(output: string): string {
  const { file, why = 'Permission denied' } = DENIED.exec(output)?.groups ?? {}
  const what = file === undefined ? 'A program that it starts' : oneLine(file)
  if (why !== 'Permission denied')
    return `${what} cannot be executed: it is for another system, or its first line names an interpreter that is not there.`
  const own = file !== undefined && OWN_FILE.test(file) ? file.replace(/^\.\//, '') : null
  const how = own === null ? 'chmod +x' : `git update-index --chmod=+x ${own}, and commit that`
  return `${what} may not be executed. Give it the right (${how}), or start it with its interpreter (sh FILE).`
}

/** A path in the repository. */
const OWN_FILE = /^(?!\/)[\w./-]{1,200}$/
