# Any base image + what Beadloom needs in a container. Its own programs come last: they change most often.
ARG BASE
FROM ${BASE}
USER root
COPY node /opt/beadloom/bin/node
COPY runtime.sh add-ca.sh ca.pem /opt/beadloom/setup/
RUN ["/bin/sh", "/opt/beadloom/setup/runtime.sh"]
COPY supervisor/ agent/ /opt/beadloom/
LABEL beadloom.image=runtime
USER 1000:1000
WORKDIR /workspace
ENTRYPOINT ["/opt/beadloom/bin/node", "/opt/beadloom/agent.mjs"]
CMD []
