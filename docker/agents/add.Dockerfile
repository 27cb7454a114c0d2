# Any base image + an agent that was installed once.
ARG AGENT
ARG BASE
FROM ${AGENT} AS agent
FROM ${BASE}
ARG NAME
COPY --from=agent /opt/agents/${NAME} /opt/agents/${NAME}
LABEL beadloom.image=agent
