// Stands in for what leave-out.mjs leaves out.
module.exports = {}
