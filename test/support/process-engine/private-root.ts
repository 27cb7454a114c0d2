import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { LINK_FOLDER, SUPERVISOR_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'

export const AGENT_HOME = '/home/agent'
const NODE = '/opt/beadloom/bin/node'
const BEADLOOM = '/opt/beadloom'

/** The same users as in the image (docker/runtime.sh). */
const USERS = 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:/home/agent:/bin/bash\n'
const GROUPS = 'root:x:0:\nagent:x:1000:\n'
const HOSTS = '127.0.0.1 localhost\n::1 localhost\n'

const FOLDERS = ['dev', 'proc', 'mnt', 'tmp', 'var/tmp', 'workspace', 'home/agent', 'run/beadloom', 'var/lib/beadloom']
const LINKED_TO_USR = ['bin', 'sbin', 'lib', 'lib64']
/** Settings of the machine that its programs need: `awk` is a link into the second, the third finds libraries. */
const SETTINGS = ['/etc/ssl', '/etc/alternatives', '/etc/ld.so.cache']

/** A container's own folders, all on this machine. */
export type Own = { workspace: string; home: string; tmp: string; link: string; supervisor: string }

/**
 * The root that containers of the process engine share: this machine's programs, an `/etc` with the image's users, and
 * places to mount a container's own folders. Nobody writes to it.
 */
export class PrivateRoot {
  readonly folder: string
  readonly #shared: string[]

  /**
   * @param programs `agent`: the folder of the agent's bundle; `supervisor`: the folder with the supervisor's bundle
   * and its start script
   */
  constructor(folder: string, { node, agent, supervisor }: { node: string; agent: string; supervisor: string }) {
    this.folder = folder
    for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true })
    const files = { 'etc/passwd': USERS, 'etc/group': GROUPS, 'etc/hosts': HOSTS }
    for (const [name, text] of Object.entries(files)) this.#place(name, text)
    this.#shared = [
      mount(folder, folder, 'bind,ro'),
      this.#take('/usr'),
      this.#take('/dev'),
      ...LINKED_TO_USR.flatMap((name) => this.#linkOrTake(`/${name}`)),
      ...SETTINGS.filter((path) => existsSync(path)).map((path) => this.#take(path)),
      mount('proc', join(folder, 'proc'), 'nosuid,nodev,noexec', 'proc'),
      this.#take(node, NODE, 'bind,ro,nosuid,nodev'),
      ...readdirSync(agent).map((name) => this.#take(join(agent, name), `${BEADLOOM}/${name}`, 'bind,ro,nosuid,nodev')),
      ...readdirSync(supervisor).map((name) =>
        this.#take(join(supervisor, name), `${BEADLOOM}/${name}`, 'bind,ro,nosuid,nodev'),
      ),
      this.#take('/bin/sh', `${BEADLOOM}/bin/sh`, 'bind,ro,nosuid,nodev'),
    ]
  }

  /** The mounts of one container, in order, in the form of fstab(5). */
  mounts({ workspace, home, tmp, link, supervisor }: Own): string {
    const own = [
      mount(workspace, join(this.folder, WORKSPACE), 'bind,nosuid,nodev'),
      mount(home, join(this.folder, AGENT_HOME), 'bind,nosuid,nodev'),
      mount(tmp, join(this.folder, 'tmp'), 'bind,nosuid,nodev'),
      mount(link, join(this.folder, LINK_FOLDER), 'bind,ro,nosuid,nodev'),
      mount(supervisor, join(this.folder, SUPERVISOR_FOLDER), 'bind,nosuid,nodev'),
    ]
    return [...this.#shared, ...own].map((line) => `${line}\n`).join('')
  }

  #take(path: string, at = path, options = 'rbind'): string {
    if (statSync(path).isDirectory()) mkdirSync(join(this.folder, at), { recursive: true })
    else this.#place(at, '')
    return mount(path, join(this.folder, at), options)
  }

  /** `/bin` is a link to `/usr/bin` on most machines, a folder on some, and `/lib64` not there at all on others. */
  #linkOrTake(path: string): string[] {
    if (!existsSync(path)) return []
    if (!lstatSync(path).isSymbolicLink()) return [this.#take(path)]
    symlinkSync(readlinkSync(path), join(this.folder, path))
    return []
  }

  #place(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }
}

/** A line of fstab, with blanks in paths escaped. */
const mount = (from: string, to: string, options: string, type = 'none'): string =>
  `${[from, to].map((path) => path.replaceAll('\\', '\\134').replaceAll(' ', '\\040')).join(' ')} ${type} ${options} 0 0`
