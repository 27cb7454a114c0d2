import { copyFile, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWN_RELEASE, type Release } from '@beadloom/core/environment/toolchains/offer.ts'
import type { ImageId } from '../containers.ts'
import { EngineError } from '../../ports/engine.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { archiveOf } from './image-archive.ts'
import { tarOf, type FileHashes, type ImageFile } from './image-files.ts'
import type { ImageStore } from './image-store.ts'
import { isOfRegistry } from '../docker-error.ts'
import { runCommand } from './run-command.ts'

type Progress = (line: string) => void

/** `kit`: the folder that it is built from. */
type Wanted = { kit: string; tag: string; release: Release }

const registryBase = (release: Release): string => `debian:${release}-slim`
const SCRIPTS = ['packages.txt', 'npm-version.txt', 'Dockerfile', 'make-base.sh', 'finish.sh', 'add-ca.sh']
/** For some 100 packages over a slow line; 40 s with a mirror nearby. */
const MAKE_BASE_MS = 1_800_000
/** Programs for other processors run in emulation, ten times as slowly. */
const MAKE_EMULATED_MS = 10 * MAKE_BASE_MS
const NPM_PACK_MS = 120_000
/** Lines of mmdebstrap and of our script; the hundreds of lines of apt and dpkg between them are only for errors. */
const STEP = /^(I: |W: |E: |installing )/

/**
 * The default base image, for our or another release of Debian, from a registry or, when none can be reached, from
 * Debian's packages. Its tag is a hash of all its ingredients, so it is built once, or built elsewhere and brought here
 * with `docker save`.
 */
export class BaseImages {
  #images: ImageStore
  #options: DockerEngineOptions
  #hashes: FileHashes

  constructor(images: ImageStore, options: DockerEngineOptions, hashes: FileHashes) {
    this.#images = images
    this.#options = options
    this.#hashes = hashes
  }

  async ensure(onProgress: Progress, signal: AbortSignal, release: Release = OWN_RELEASE): Promise<ImageId> {
    const made = await this.find(release)
    if (made) return made
    const tag = await this.tag(release)
    onProgress(`building the base image ${tag}; this happens once and takes about a minute`)
    const kit = await mkdtemp(join(tmpdir(), 'beadloom-base-'))
    try {
      await this.#fill(kit, onProgress, signal)
      const why = await this.#registryTrouble(release, onProgress, signal)
      const wanted = { kit, tag, release }
      if (why === null) return await this.#fromRegistry(wanted, onProgress, signal)
      onProgress(`${why}; building the base image from Debian's packages instead`)
      return await this.#fromPackages(wanted, why, onProgress, signal)
    } finally {
      await rm(kit, { recursive: true, force: true })
    }
  }

  /** Null: it is not built yet. */
  async find(release: Release = OWN_RELEASE): Promise<ImageId | null> {
    return this.#images.find(await this.tag(release))
  }

  async tag(release: Release = OWN_RELEASE): Promise<string> {
    const { dockerFolder, nodeBinary, caBundle } = this.#options
    const files: ImageFile[] = SCRIPTS.map((name) => ({ name, mode: 0o644, path: join(dockerFolder, name) }))
    files.push({ name: 'node', mode: 0o755, path: nodeBinary }, { name: 'ca.pem', mode: 0o644, text: caBundle ?? '' })
    return `beadloom/base:${await this.#hashes.key(files, ...(release === OWN_RELEASE ? [] : [release]))}`
  }

  /** Fills the folder that both ways build from. */
  async #fill(kit: string, onProgress: Progress, signal: AbortSignal): Promise<void> {
    const { dockerFolder, nodeBinary, caBundle, clock } = this.#options
    for (const name of SCRIPTS) await copyFile(join(dockerFolder, name), join(kit, name))
    await symlink(nodeBinary, join(kit, 'node'))
    await writeFile(join(kit, 'ca.pem'), caBundle ?? '')
    const version = (await readFile(join(dockerFolder, 'npm-version.txt'), 'utf8')).trim()
    onProgress(`fetching npm ${version}`)
    const args = ['pack', `npm@${version}`, '--pack-destination', kit, '--silent', '--prefer-offline']
    try {
      await runCommand({ program: 'npm', args, cwd: kit, timeoutMs: NPM_PACK_MS }, clock, () => {}, signal)
    } catch (error) {
      if (!(error instanceof EngineError) || signal.aborted) throw error
      const text = `npm ${version} for containers could not be downloaded. Make "npm pack npm@${version}" work on this machine. ${error.message}`
      throw new EngineError('image-build-failed', text, { cause: error })
    }
    const tarball = (await readdir(kit)).find((name) => /^npm-.*\.tgz$/.test(name))
    if (!tarball) throw new EngineError('image-build-failed', `npm pack npm@${version} left no tarball`)
    await rename(join(kit, tarball), join(kit, 'npm.tgz'))
  }

  /** Pulls Debian's image if it is missing. Null: it is here; otherwise a sentence why not. */
  async #registryTrouble(release: Release, onProgress: Progress, signal: AbortSignal): Promise<string | null> {
    const { architecture } = this.#options
    const name = registryBase(release)
    // An engine has one image of a name, which may be for other processors.
    if (architecture !== undefined) return `${name} may not be for ${architecture}`
    if (await this.#images.find(name)) return null
    try {
      const { registrySilenceMs } = this.#images.client.bounds
      await this.#images.pull(name, onProgress, { silenceMs: registrySilenceMs }, signal)
      return null
    } catch (error) {
      if (!isOfRegistry(error) || signal.aborted) throw error
      return `${name} cannot be pulled (${error.message})`
    }
  }

  async #fromRegistry({ kit, tag, release }: Wanted, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const names = ['packages.txt', 'Dockerfile', 'finish.sh', 'add-ca.sh', 'ca.pem', 'npm.tgz', 'node']
    const context = () =>
      tarOf(names.map((name) => ({ name, mode: name === 'node' ? 0o755 : 0o644, path: join(kit, name) })))
    const args = { FROM: registryBase(release), ...this.#options.proxy }
    return this.#images.build({ tag, context, dockerfile: 'Dockerfile', args, network: 'bridge' }, onProgress, signal)
  }

  async #fromPackages(
    { kit, tag, release }: Wanted,
    why: string,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const { clock, architecture } = this.#options
    const tar = join(kit, 'base.tar')
    const onLine = (line: string) => STEP.test(line) && onProgress(line.replace(/^I: /, ''))
    try {
      const args = [join(kit, 'make-base.sh'), kit, tar, release, ...(architecture ? [architecture] : [])]
      const timeoutMs = architecture === undefined ? MAKE_BASE_MS : MAKE_EMULATED_MS
      await runCommand({ program: 'sh', args, cwd: kit, timeoutMs }, clock, onLine, signal)
    } catch (error) {
      if (!(error instanceof EngineError) || signal.aborted) throw error
      throw new EngineError('image-build-failed', `${howTo(tag, release, why)}\n${error.message}`, { cause: error })
    }
    if (architecture === undefined) return this.#images.import(tar, tag, onProgress, signal)
    return this.#images.load(await archiveOf({ tar, tag, architecture }, this.#hashes), tag, onProgress, signal)
  }
}

const howTo = (tag: string, release: Release, why: string): string =>
  `There is no base image for containers. ${why}, and it could not be made from Debian's packages. Do one of these, then start Beadloom again: ` +
  `run "docker pull ${registryBase(release)}" where Docker can reach a registry; ` +
  `start Beadloom once as root on Debian or Ubuntu; ` +
  `or run "docker save ${tag}" on a machine that has it, and "docker load" here.`
