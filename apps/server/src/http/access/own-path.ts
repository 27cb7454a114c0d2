/**
 * The path, query and fragment of an address, as a redirect within this server: always with exactly one slash in front.
 * `/.//evil.example` is parsed as the path `//evil.example`, which a browser takes for another host.
 */
export const ownPath = ({ pathname, search, hash }: URL): string =>
  `/${pathname.replace(/^[/\\]+/, '')}${search}${hash}`
