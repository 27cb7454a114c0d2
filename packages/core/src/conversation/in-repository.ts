/** A path as people know it: without the folder that the repository has in a container. */
export const inRepository = (path: string): string => path.replace(/^\/workspace\/(?:repo\/)?|^\.\//, '')
