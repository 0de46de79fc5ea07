# An image of one program, which is JobManager or TaskManager of its own cluster by FLOTT_ROLE.
#
#	docker build -f application.Dockerfile -t wordcount --build-arg PACKAGE=./cmd/wordcount .        from the root of your module
#	docker run -e FLOTT_ROLE=jobmanager wordcount
FROM golang:1.27.3 AS build
ARG PACKAGE=.
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /program ${PACKAGE}

FROM gcr.io/distroless/static-debian13:nonroot
COPY --from=build /program /program
ENTRYPOINT ["/program"]
