import { fieldsOf, listOf, textOf, type Fields } from '../../formats/records.ts'
import { readToml } from '../../formats/toml-text.ts'
import { foldersOf } from '../../node/workspaces.ts'
import type { Folder } from '../../files/repository-files.ts'

/** A package that `cargo test --workspace` tests. `prefix`: before its features on a command line. */
export type Crate = {
  name: string
  prefix: string
  /** Its features, and optional dependencies that no feature names. */
  features: readonly string[]
  /** The features without which some files of tests are not even compiled. */
  required: readonly string[]
  /** The beginning of its code, if it can be read. */
  code: string
}

const MOST_CRATES = 60
const NAME = /^[\w-]{1,60}$/
const FEATURE = /^[\w+-]{1,60}$/

/** The package of a manifest and the members of its workspace; those that cannot be read are left out. */
export function cratesOf(folder: Folder, manifest: Fields): Crate[] {
  const workspace = fieldsOf(manifest['workspace'])
  const named = (key: string) => listOf(workspace[key]).flatMap((one) => textOf(one) ?? [])
  const patterns = [...named('members'), ...named('exclude').map((path) => `!${path}`)]
  const below = foldersOf(folder, patterns, /(?:^|\/)Cargo\.toml$/).slice(0, MOST_CRATES)
  const members = below.flatMap((at) => {
    const read = readToml(folder.text(`${at}/Cargo.toml`) ?? '')
    return read === null ? [] : crateOf(folder, at, read)
  })
  return [...crateOf(folder, '', manifest), ...members]
}

function crateOf(folder: Folder, at: string, manifest: Fields): Crate[] {
  const name = textOf(fieldsOf(manifest['package'])['name']) ?? (at === '' ? 'x' : '')
  if (!Object.hasOwn(manifest, 'package') || !NAME.test(name)) return []
  const features = featuresOf(manifest)
  return [
    {
      name,
      // Cargo takes the name of the package in its own folder for that of a dependency.
      prefix: at === '' ? '' : `${name}/`,
      features,
      required: requiredOf(manifest).filter((one) => features.includes(one)),
      code: folder.text(at === '' ? 'src/lib.rs' : `${at}/src/lib.rs`) ?? '',
    },
  ]
}

function featuresOf(manifest: Fields): string[] {
  const features = fieldsOf(manifest['features'])
  const named = JSON.stringify(features)
  const dependencies = fieldsOf(manifest['dependencies'])
  const implied = Object.keys(dependencies).filter(
    (name) => fieldsOf(dependencies[name])['optional'] === true && !named.includes(`"dep:${name}"`),
  )
  return [...Object.keys(features), ...implied].filter((name) => name !== 'default' && FEATURE.test(name))
}

/** A file of tests for the compiler of the night stays out with all that it wants. */
const requiredOf = (manifest: Fields): string[] =>
  listOf(manifest['test'])
    .map((one) => listOf(fieldsOf(one)['required-features']).flatMap((name) => textOf(name) ?? []))
    .filter((names) => !names.some((name) => OF_NIGHTLY.test(name)))
    .flat()

/** Names of features that mostly need the compiler of the night. */
export const OF_NIGHTLY = /nightly|unstable/
