import { oneLine } from '../../text/one-line.ts'

/** Keys are 128 plus the number of a signal, as a shell reports it. */
const BY_SIGNAL: Readonly<Record<number, string>> = {
  130: 'It was interrupted (SIGINT), which only one of its own programs can have done.',
  131: 'It was ended by SIGQUIT, which only one of its own programs can have sent.',
  132: 'One of its programs has instructions that this processor does not know (SIGILL): it was built for a newer one.',
  134: 'One of its programs gave up (SIGABRT), often for lack of memory: its last lines say why. Raise "limits.memoryMb" in beadloom.json to give it more.',
  135: 'One of its programs crashed (SIGBUS), often because a file that it had open was cut off or the disk is full.',
  136: 'One of its programs crashed in a calculation (SIGFPE).',
  137: 'It was killed (SIGKILL), mostly for lack of memory: raise "limits.memoryMb" in beadloom.json, or let it do less at once.',
  139: 'One of its programs crashed (SIGSEGV): its versions may not fit together, or it was built for another system. Try another version.',
  141: 'One of its programs wrote to another that had already ended (SIGPIPE), as in: … | head.',
  143: 'It was asked to end (SIGTERM), which only one of its own programs can have done: look for a time limit in it.',
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
  if (exitCode === TIMED_OUT) return 'Its own time limit (timeout) ran out: raise it, or make what it waits for faster.'
  return BY_SIGNAL[exitCode] ?? null
}

function notExecutable(output: string): string {
  const { file, why = 'Permission denied' } = DENIED.exec(output)?.groups ?? {}
  const what = file === undefined ? 'A program that it starts' : oneLine(file)
  if (why !== 'Permission denied')
    return `${what} cannot be executed: it is for another system, or its first line names an interpreter that is not there.`
  const own = file !== undefined && OWN_FILE.test(file) ? file.replace(/^\.\//, '') : null
  const how = own === null ? 'chmod +x' : `git update-index --chmod=+x ${own}, and commit that`
  return `${what} may not be executed. Make it executable (${how}), or start it with its interpreter (sh FILE).`
}

/** A path in the repository. */
const OWN_FILE = /^(?!\/)[\w./-]{1,200}$/
