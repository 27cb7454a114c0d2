/**
 * The path, query and fragment of an address, as a redirect within this server: one slash in front, whatever became of it
 * when it was read. `/.//evil.example` is the path `//evil.example`, which a browser takes for another host.
 */
export const ownPath = ({ pathname, search, hash }: URL): string =>
  `/${pathname.replace(/^[/\\]+/, '')}${search}${hash}`
