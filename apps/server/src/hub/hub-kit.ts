import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { Hub, HubAccess, HubProject } from '../ports/hub.ts'
import type { MergeTracker } from '../ports/hub/merges.ts'
import { systemClock, type Clock } from '../process/clock.ts'
import { createHub } from './hub.ts'
import type { ServeBounds } from './serve.ts'

/** Shared by this folder's tests: real repositories in temporary folders, and the hub behind a real HTTP server. */
export type Kit = {
  root: string
  hub: Hub
  /** Another hub on the same folder, like a server that was started again. */
  again(gitBinary?: string, clock?: Clock): Promise<Hub>
  /** Plain git, as an agent has it; rejects with git's output. */
  git(cwd: string, ...args: string[]): Promise<string>
  /** A repository with one commit on main. */
  source(name: string, files?: Record<string, string>): Promise<string>
  /** Writes files and commits them; returns the commit. */
  commit(folder: string, files: Record<string, string>, message?: string): Promise<string>
  project(source: string, baseBranch?: string | null): HubProject
  /** Serves the hub as one execution sees it; returns the URL to clone. */
  serve(access: HubAccess): Promise<string>
  /** A program that leaves a file behind when it runs. */
  marker(name: string): Promise<{ program: string; path: string }>
  close(): Promise<void>
}

export const execution = parseExecutionId('ex-aaaaaaaaaa')
export const otherExecution = parseExecutionId('ex-bbbbbbbbbb')
export const projectId = parseProjectId('sample')

/** `mergeTracker`: without one, a tracker's file that two branches changed counts as unreadable. */
export async function startKit(
  bounds: Partial<ServeBounds> = {},
  mergeTracker: MergeTracker = () => null,
): Promise<Kit> {
  const root = await mkdtemp(join(tmpdir(), 'beadloom-hub-'))
  const servers: Server[] = []
  const env = plainEnvironment(join(root, 'home'))
  await mkdir(join(root, 'home'))
  const hubs: Hub[] = []
  const make = async (gitBinary = 'git', clock = systemClock) => {
    const made = await createHub({
      gitBinary,
      folder: join(root, 'data', 'hub'),
      gitHome: join(root, 'data', 'git-home'),
      clock,
      env,
      bounds,
      mergeTracker,
    })
    hubs.push(made)
    return made
  }
  const hub = await make()

  const git = (cwd: string, ...args: string[]) => runGit(cwd, args, env)
  const commit = async (folder: string, files: Record<string, string>, message = 'Change') => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await git(folder, 'add', '-A')
    await git(folder, 'commit', '-q', '-m', message)
    return git(folder, 'rev-parse', 'HEAD')
  }
  return {
    root,
    hub,
    git,
    commit,
    again: make,
    source: async (name, files = { 'readme.md': 'hello\n' }) => {
      const folder = join(root, name)
      await git(root, 'init', '-q', '-b', 'main', folder)
      await commit(folder, files, 'Begin')
      return folder
    },
    project: (source, baseBranch = null) => ({ id: projectId, source, baseBranch }),
    serve: async (access) => {
      const server = createServer(hub.serve(access).answer)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/git/hub.git`
    },
    marker: async (name) => {
      const path = join(root, `ran-${name}`)
      const program = join(root, `program-${name}`)
      await writeFile(program, `#!/bin/sh\ntouch '${path}'\n`)
      await chmod(program, 0o755)
      return { program, path }
    },
    close: async () => {
      await Promise.all(servers.map((server) => closeServer(server)))
      await Promise.all(hubs.map((one) => one.close()))
      await rm(root, { recursive: true, force: true, maxRetries: 5 }) // a git that was killed may still write
    },
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A person's environment with nothing of the machine's own git configuration in it. */
function plainEnvironment(home: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
  }
}

/** Checking after every commit whether the repository wants tidying would cost one more process each. */
const UNTIDY = ['-c', 'maintenance.auto=false']

function runGit(cwd: string, args: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', [...UNTIDY, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(out.trim())
      else reject(new Error(`git ${args.join(' ')} ended with ${code}: ${out}${err}`))
    })
  })
}
