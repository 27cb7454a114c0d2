/** A registry for pushing and pulling images: `HOST[:PORT][/PATH]`. */
export const registryName = /^(?!.*:\/\/)[a-z0-9][\w.:/-]*\w$/
export const REGISTRY_FORM = 'must be HOST[:PORT][/PATH], without https://'
export const MOST_REGISTRY_NAME = 300
