/** Common names for packages that have another name in a registry. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^node-linux-/, 'Node'],
  [/^@deno\//, 'Deno'],
  [/^@oven\/bun-/, 'Bun'],
  [/^@yarnpkg\/cli-dist$/, 'Yarn'],
  [/^ziglang$/, 'Zig'],
]

/** Messages of installers about a version that their source does not have. */
const SAID: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/No matching version found for (?<name>@?[\w./-]{1,100})@(?<version>\d[\w.-]{0,40}?)\.?$/m, called],
  [/No matching distribution found for (?<name>[\w.-]{1,100})==(?<version>\d[\w.]{0,40})/, called],
  [/(?<name>go)(?<version>\d[\w.]{0,40}) for \S{1,40}: toolchain not available/, () => 'Go'],
  [/artifact org\.apache\.maven:(?<name>apache-maven):tar\.gz:bin:(?<version>\d[\w.-]{0,40})/, () => 'Maven'],
]

function called(name: string): string {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? name
}

/** "Node 22.99.1": a requested version that nobody has ever published; null: something else failed. */
export function noSuchVersion(output: string): string | null {
  for (const [pattern, nameOf] of SAID) {
    const { name, version } = pattern.exec(output)?.groups ?? {}
    if (name !== undefined && version !== undefined) return `${nameOf(name)} ${version}`
  }
  return null
}
