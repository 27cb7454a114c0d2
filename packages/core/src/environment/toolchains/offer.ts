import type { Place, Tool, ToolClaim } from '../found.ts'

/** Releases of Debian that an image can be made of; the first is that of Beadloom's own image. */
export const releases = ['bookworm', 'trixie'] as const
export type Release = (typeof releases)[number]

export const OWN_RELEASE: Release = 'bookworm'

/**
 * One item for `docker/toolchains/install.sh` to install.
 *
 * - `debian`: a package of the release;
 * - `go`: a version that Go's own command downloads and checks;
 * - `node`: a version of Node.js, `npm`: a package, `deno` and `bun`: a version of them, from the npm registry;
 * - `maven`: a version of Maven, from Maven Central by Debian's own;
 * - `pypi`: a program from PyPI, in an environment of its own.
 */
export const installers = ['debian', 'go', 'maven', 'node', 'npm', 'deno', 'bun', 'pypi'] as const
export type Installer = (typeof installers)[number]
export type Install = { by: Installer; what: string }

/** `release: null`: on any release. `from`: the usual name of the source. Without installs it is in the base image. */
export type Offer = { version: string; release: Release | null; from: string; installs: readonly Install[] }

/** The version taken for a claim. `fits` is false if it is only the nearest one. */
export type Toolchain = {
  tool: Tool
  wanted: string | null
  least: boolean
  place: Place
  version: string
  from: string
  fits: boolean
}

/** The toolchains of an image. `installs` is sorted and has no doubles, so that the same ones make the same image. */
export type ToolchainPlan = {
  release: Release
  /** An official image that has all of it at the wanted version, where a container registry can be reached. */
  official: string | null
  installs: Install[]
  toolchains: Toolchain[]
  /** Sentences about tools that cannot be had. */
  missing: string[]
}

/** Beadloom's own image, unchanged. */
export const noToolchains: ToolchainPlan = {
  release: OWN_RELEASE,
  official: null,
  installs: [],
  toolchains: [],
  missing: [],
}

/** Everything that the image depends on. */
export const madeBy = ({
  release,
  official,
  installs,
}: ToolchainPlan): Pick<ToolchainPlan, 'release' | 'official' | 'installs'> => ({
  release,
  official,
  installs,
})

/** `20.11.1`, and nothing else: a download by exact version takes these characters alone. */
export const exactVersion = ({ version, least }: Pick<ToolClaim, 'version' | 'least'>): string | null =>
  least ? null : (/^(?:v|go|={2,3})?\s?(\d{1,3}\.\d{1,4}\.\d{1,4})$/.exec(version ?? '')?.[1] ?? null)
