import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { getSystemErrorName } from 'node:util'
import { GitConstructError, GitError, GitPluginError, simpleGit, type SimpleGitOptions } from 'simple-git'
import type { GitCommand } from './git-call.ts'
import { type Bounds, type Ending, ProcessGroup } from './process-group.ts'
import { inOwnGroup, silenceSimpleGit } from './simple-git-gaps.ts'
import { keepEnds } from './stderr-ends.ts'
import { latestFailure } from '../../process/start-process.ts'

silenceSimpleGit()

/**
 * simple-git refuses any call that could make git run a program or read a person's configuration. Our hardening sets
 * the same keys, to something harmless, so those checks are off. The others stay on and would catch a mistake of ours.
 */
const unsafe: SimpleGitOptions['unsafe'] = {
  // Every call sets these (git-flags.ts).
  allowUnsafeAskPass: true,
  allowUnsafeConfigPaths: true, // GIT_CONFIG_GLOBAL, --git-dir
  allowUnsafeEditor: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeProtocolOverride: true, // protocol.ext.allow=never
  // Some calls set these.
  allowUnsafeConfigEnvCount: true, // the password of a URL (remote.ts)
  allowUnsafePack: true, // the program on the other side of a path, hardened in the same way (remote.ts)
  allowUnsafeSshCommand: true, // the person's ssh, told to ask nothing (remote.ts)
  allowUnsafeTemplateDir: true, // `init --template=`, which means no template (clones.ts)
  allowUnsafeAlias: true, // only our tests, to play a git that floods or hangs
  // simple-git forbids abbreviated options with a variable in git's environment. The variable would reach the person's
  // credential helpers too, and break one that abbreviates. Ours are all written out.
  allowAbbreviatedOptions: true,
}

/** A git that prints more than `limitBytes` to standard output is ended. An empty `input` closes standard input. */
export type CollectOrder = Bounds & {
  input: Buffer
  limitBytes: number
  onStart: (child: ChildProcess) => void
  onStderr?: ((piece: string) => void) | undefined
}

/** `code` is 128 when git was killed. `over`: it printed more than the limit, and `stdout` is longer by up to a chunk. */
export type Collected = { code: number; stdout: Buffer; stderr: string; over: boolean; ending: Ending }

/** There was never a process. The message is the system's name for the reason ("ENOENT"), or a few words. */
export class NotStarted extends Error {
  override name = 'NotStarted'
}

/** It cannot even be killed, and we wait for it no more. */
export class Hangs extends Error {
  override name = 'Hangs'
  readonly pid: number | undefined
  constructor(pid: number | undefined) {
    super('git cannot be ended')
    this.pid = pid
  }
}

/** Starts git through simple-git and waits for its end. Every exit code is an answer here. */
export async function collectOutput(command: GitCommand, order: CollectOrder): Promise<Collected> {
  const { input, limitBytes, onStart, onStderr, ...bounds } = order
  let group: ProcessGroup | undefined
  let stderr = () => ''
  let over = false
  let code = 128
  let chunks: Buffer[] = []
  const before = latestFailure()

  const watch = (stdout: Readable) => {
    let size = 0
    stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limitBytes || over) return
      over = true
      group?.end('aborted')
      stdout.destroy() // else simple-git keeps everything until the process is gone
    })
    // simple-git waits 50 ms longer for a process that printed nothing, as many of ours do. An empty chunk counts as output.
    stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)))
  }
  const options: Partial<SimpleGitOptions> = {
    baseDir: command.cwd,
    binary: command.binary,
    unsafe,
    allowEnvironment: Object.keys(command.env), // built from nothing, so every name in it is one that we chose
    completion: { onClose: true, onExit: false }, // the end is when the last byte was read
    input: () => input, // never a string: for an empty one simple-git leaves stdin open, and git waits forever
    // Called at every end, with the exit code and the bytes; `raw` has only text. Emptying the list saves simple-git from
    // copying and decoding it. Returning nothing means no error: the caller judges the exit code.
    errors: (_, result) => {
      code = result.exitCode ?? 128
      chunks = result.stdOut.splice(0)
      return undefined
    },
  }
  try {
    const hangs = Promise.withResolvers<never>()
    hangs.promise.catch(() => {}) // most never do
    const git = inOwnGroup(simpleGit(options), (child) => {
      group = new ProcessGroup(child, bounds)
      group.stuck.addEventListener('abort', () => hangs.reject(new Hangs(child.pid)))
      onStart(child)
    })
    git.outputHandler((_, stdout, standardError) => {
      watch(stdout as Readable)
      standardError.removeAllListeners('data') // else simple-git keeps all of it, at any length
      stderr = keepEnds(standardError as Readable)
      if (onStderr) standardError.on('data', onStderr)
    })
    await Promise.race([git.env(command.env).raw(command.argv), hangs.promise])
  } catch (error) {
    if (error instanceof Hangs) throw error
    // Without file descriptors the process has no streams, and simple-git fails over that.
    const failure = latestFailure()
    if (!group && failure !== before) throw new NotStarted(failure?.code, { cause: error })
    // A GitPluginError is one of the protections above: a bug of ours, like every error that is not simple-git's.
    if (!(error instanceof GitError) || error instanceof GitPluginError) throw error
    const noFolder = error instanceof GitConstructError
    throw new NotStarted(noFolder ? `there is no folder ${command.cwd}` : error.message, { cause: error })
  }
  if (code < 0 || !group) throw new NotStarted(getSystemErrorName(code)) // Node puts the reason there
  return { code, stdout: Buffer.concat(chunks), stderr: stderr(), over, ending: group.ending }
}
