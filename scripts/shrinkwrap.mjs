// Exact versions and hashes of the packages that npm installs with a release: those that the tests ran with.
import { existsSync, readFileSync, realpathSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/**
 * The version of each package in `folders`, and of everything that they need: npm takes its versions from a manifest.
 * It reads a package's shrinkwrap only if the package came from a registry, or if `npm ci` is called in it.
 */
export function exactVersions(folders) {
  const versions = {}
  const all = [...folders]
  for (const folder of all) {
    const { name, version, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (name in versions) continue
    versions[name] = version
    all.push(...Object.keys(dependencies).map((one) => neededBy(folder, one)))
  }
  return versions
}

/**
 * The folder of a package that the one in `folder` imports: the target of pnpm's link, because its own dependencies lie
 * beside that.
 */
export function neededBy(folder, name) {
  const found = createRequire(join(folder, 'package.json'))
    .resolve.paths(name)
    .map((modules) => join(modules, name))
    .find((one) => existsSync(join(one, 'package.json')))
  if (found === undefined) throw new Error(`${name}, which ${folder} needs, is not installed.`)
  return realpathSync(found)
}

/** Writes npm-shrinkwrap.json beside the package.json in `stage`. */
export async function writeShrinkwrap(stage) {
  // The packing machine may use a mirror that others cannot reach: no address of a package is written.
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']
  await run('npm', ['install', '--package-lock-only', '--omit-lockfile-registry-resolved', ...quietly], {
    cwd: stage,
    quiet: true,
    why: 'npm install --package-lock-only',
  })
  const lock = join(stage, 'package-lock.json')
  await checkHashes(JSON.parse(readFileSync(lock, 'utf8')).packages)
  renameSync(lock, join(stage, 'npm-shrinkwrap.json'))
}

/** Checks that every package has a hash, and pnpm's hash if its lock file has the package. */
async function checkHashes(packages) {
  const { parse } = await import('yaml') // there once the checkout's dependencies are
  const locked = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')).packages
  for (const [path, { version, integrity }] of Object.entries(packages)) {
    if (path === '') continue
    const name = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
    if (integrity === undefined) throw new Error(`The registry has no hash of ${name}.`)
    const expected = locked[name]?.resolution.integrity ?? integrity
    if (integrity !== expected)
      throw new Error(`The registry says ${integrity} of ${name}, and pnpm-lock.yaml says ${expected}.`)
  }
}
