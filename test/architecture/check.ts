import { posix } from 'node:path'
import { confined, layers, testPackages } from './layers.ts'
import type { Layer } from './layers.ts'
import { importsOf, placesOf } from './source-text.ts'
import type { Import } from './source-text.ts'

/** `path` from the repository's root, with forward slashes. */
export type SourceFile = { path: string; text: string }

/** One sentence for each thing in a file that the layers do not allow, beginning with `path:line`. */
export function violationsIn({ path, text }: SourceFile): string[] {
  const layer = layerOf(path)
  if (layer === null) return [`${path}:1 belongs to no layer: list its folder in test/architecture/layers.ts`]
  const imports = importsOf(text).flatMap((found) => {
    const problem = problemWith(path, layer, found)
    return problem === null ? [] : [`${path}:${found.line} ${problem}`]
  })
  const words = isTest(path)
    ? []
    : confined
        .filter(({ homes }) => !homes.some((home) => home.test(path)))
        .flatMap(({ pattern, why }) =>
          placesOf(text, pattern).map((place) => `${path}:${place.line} has ${place.text}: ${why}`),
        )
  return [...imports, ...words]
}

/** Tests, and what only tests use: a folder `testing`, `*-kit.ts`, `fake-*.ts`. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/testing\/|\/fixtures\//.test(path) ||
  /(?:^|\/)(?:[\w-]+-(?:kit|fixture)|fake-[\w-]+|test-[\w-]+)\.ts$/.test(path)

export function layerOf(path: string): Layer | null {
  const fitting = layers.filter(({ home }) => (home.endsWith('/') ? path.startsWith(home) : path === home))
  return fitting.reduce<Layer | null>((best, one) => (best && best.home.length >= one.home.length ? best : one), null)
}

function problemWith(path: string, layer: Layer, { specifier, typeOnly }: Import): string | null {
  const target = targetOf(path, specifier)
  if (target === null) return packageProblem(path, layer, specifier, typeOnly)
  const other = layerOf(target)
  if (other === null) return `imports ${specifier}, which is in no layer`
  if (isTest(target) && !isTest(path)) return `imports ${specifier}: it is there for tests`
  if (names(other).some((name) => name === layer.name || layer.may.includes(name))) return null
  // Tests of a room drive what the rooms above it make of it; those of a layer, by what a higher one has for tests.
  if (isTest(path) && layer.within !== undefined && other.within === layer.within) return null
  if (isTest(path) && target.includes('/testing/') && names(layer).some((name) => other.may.includes(name))) return null
  return `imports ${specifier}: ${layer.name} may not know ${other.name}`
}

/** A layer that may know the whole may know its part. */
const names = ({ name, within }: Layer): string[] => (within === undefined ? [name] : [name, within])

/** The file behind a relative import or one of core; null for a package. */
function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('@beadloom/core/')) return `packages/core/src/${specifier.slice('@beadloom/core/'.length)}`
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
}

function packageProblem(path: string, layer: Layer, specifier: string, typeOnly: boolean): string | null {
  if (specifier === 'node:http' && !typeOnly && path.startsWith('apps/server/') && !isTest(path))
    return 'imports node:http: that loads all of fetch, 14 MB; process/node-http.ts does not'
  const allowed = [...layer.packages, ...(typeOnly ? (layer.types ?? []) : []), ...(isTest(path) ? testPackages : [])]
  if (allowed.some((one) => (one === 'node:*' ? specifier.startsWith('node:') : isPart(specifier, one)))) return null
  return `imports ${specifier}: not a package for ${layer.name}`
}

/** `openai` stands for `openai/resources` too; `zod/mini` for nothing but itself. */
const isPart = (specifier: string, name: string): boolean =>
  specifier === name || (name !== 'zod' && specifier.startsWith(`${name}/`))
