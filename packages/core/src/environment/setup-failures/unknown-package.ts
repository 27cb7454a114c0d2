/** The messages of package managers about an unknown package; the first group is its name. */
const SAID: readonly RegExp[] = [
  /\bnotarget No matching version found for (\S{1,200}?)\.?$/,
  /\bERR_PNPM_FETCH_404\b.{0,5} GET \S{1,300}\/([^\s/]{1,200})\.tgz\b/,
  /\b404 Not Found - GET \S{1,300}\/([^\s/]{1,200})\.tgz\b/,
  /\/([^\s/]{1,200})\.tgz: Request failed "404/,
  /\bHTTP error 404 while getting \S{1,300}\/([^\s/#]{1,200})(?:#|\s|$)/,
  /\b404 {1,4}'?([@\w][^\s']{0,200})'? is not in (?:this|the npm) registry/,
  /\bERR_PNPM_NO_MATCHING_VERSION {1,4}No matching version found for (\S{1,200})/,
  /\bCouldn't find any versions for "([^"]{1,200})"/,
  /\bCouldn't find package "([^"]{1,200})"/,
  /\bNo version matching "([^"]{1,200})" found/,
  /\bNo matching distribution found for (\S[^()]{0,200}?)(?: \(from .{0,200}\))?$/,
  /\bBecause there (?:is|are) no versions? of (\S{1,200})/,
  /\b([\w.-]{1,200}) was not found in the package registry/,
  /\bno matching package named `([^`]{1,200})` found/,
  /\bfailed to select a version for the requirement `([^`]{1,200})`/,
  /^(?:go: )?(\S{1,200}@\S{1,100}): (?:invalid version: unknown revision|reading \S{1,400}: 404\b)/,
  /\bCould not find artifact (\S{1,300}) in\b/,
  /^\s{0,8}>? ?Could not find ([\w.-]{1,200}:[\w.-]{1,200}:[\w.-]{1,100})\.$/,
]

const LONGEST_LINE = 1000

/** Finds in the output of `setup` a package that no registry has. Null: there is none. */
export function unknownPackage(output: string): string | null {
  for (const line of output.split('\n')) {
    const text = line.slice(0, LONGEST_LINE).trimEnd()
    for (const pattern of SAID) {
      const name = pattern.exec(text)?.[1]
      if (name !== undefined)
        return `No registry that was asked has ${name}. Correct its version where it is asked for, or "setup" in beadloom.json.`
    }
  }
  return null
}
