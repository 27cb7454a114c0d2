import { execFile, type ChildProcess } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** A command's standard streams: its input, and the reader of its output. */
export type StandardStreams = {
  stdio: ['ignore' | 'pipe' | number, 'pipe' | number, 'pipe' | number]
  /** Call it after the start, or a failed start: closes our copies of the command's ends. */
  release(): void
  outputOf(child: ChildProcess): { stdout: Readable; stderr: Readable }
  /** Call it instead of `outputOf` if the start failed. */
  discard(): void
}

/**
 * Node gives its children sockets where a shell would give them pipes. Programs notice: `echo oops > /dev/stderr` fails
 * with "No such device or address", `cat /dev/stdin` too, and bash reads `~/.bashrc` because it takes a socket for a
 * remote login. So commands get real pipes (two FIFOs whose names are gone at once) and a file or /dev/null as input.
 * Pipes cost one more process, so our own programs, which do not notice, get sockets (`pipes` false).
 */
export async function openStreams(stdin: string | Uint8Array | undefined, pipes: boolean): Promise<StandardStreams> {
  if (!pipes) return sockets(stdin)
  try {
    return await openPlain(stdin)
  } catch {
    return sockets(stdin) // /tmp is full, or no descriptors are left: better a socket than no command
  }
}

async function openPlain(stdin: string | Uint8Array | undefined): Promise<StandardStreams> {
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-io-'))
  const ours: number[] = []
  try {
    const input = stdin === undefined ? 'ignore' : await openInput(join(folder, 'in'), stdin)
    if (typeof input === 'number') ours.push(input)
    const [out, err] = await openPipes(folder)
    if (out && err) ours.push(out.write, err.write)
    return {
      stdio: [input, out?.write ?? 'pipe', err?.write ?? 'pipe'],
      release: () => ours.splice(0).forEach((descriptor) => closeSync(descriptor)),
      outputOf: (child) => ({ stdout: reader(out, child.stdout), stderr: reader(err, child.stderr) }),
      discard: () => [out, err].forEach((pipe) => pipe && closeSync(pipe.read)),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sockets(stdin: string | Uint8Array | undefined): StandardStreams {
  return {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    release: () => {},
    outputOf: (child) => {
      child.stdin?.on('error', () => {}) // a command need not read its input
      child.stdin?.end(stdin)
      return { stdout: reader(undefined, child.stdout), stderr: reader(undefined, child.stderr) }
    },
    discard: () => {},
  }
}

type Pipe = { read: number; write: number }

/** Empty in an image without `mkfifo`, which has to do with sockets. */
async function openPipes(folder: string): Promise<[Pipe, Pipe] | []> {
  const names: [string, string] = [join(folder, 'out'), join(folder, 'err')]
  const made = await promisify(execFile)('mkfifo', names).then(
    () => true,
    () => false,
  )
  return made ? [openPipe(names[0]), openPipe(names[1])] : []
}

/** Opens the reading end first and without waiting, so that the writing end finds a reader and does not wait either. */
function openPipe(name: string): Pipe {
  const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  return { read, write: openSync(name, constants.O_WRONLY) }
}

async function openInput(name: string, text: string | Uint8Array): Promise<number> {
  await writeFile(name, text, { mode: 0o600 })
  return openSync(name, 'r')
}

function reader(pipe: Pipe | undefined, stream: Readable | null): Readable {
  if (pipe) return new Socket({ fd: pipe.read, readable: true, writable: false })
  if (stream) return stream
  throw new Error('a command without output streams')
}
