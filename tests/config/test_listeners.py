"""Listeners: how they are written, what is opened, and where clients are sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.config import BrokerConfig, Listener
from kwire.config.listeners import parse_listener
from kwire.errors import UsageError


def resolve(**properties: str) -> BrokerConfig:
    return BrokerConfig.resolve({key.replace("_", "."): value for key, value in properties.items()})


@pytest.mark.parametrize(
    ("text", "listener"),
    [
        ("PLAINTEXT://127.0.0.1:9092", Listener("PLAINTEXT", "127.0.0.1", 9092)),
        ("plaintext://localhost:0", Listener("PLAINTEXT", "localhost", 0)),
        ("PLAINTEXT://:9092", Listener("PLAINTEXT", "", 9092)),
        ("PLAINTEXT://[::1]:9092", Listener("PLAINTEXT", "::1", 9092)),
        ("PLAINTEXT://[fe80::1%eth0]:9092", Listener("PLAINTEXT", "fe80::1%eth0", 9092)),
        ("MY-NET_2://a.b-c.example:65535", Listener("MY-NET_2", "a.b-c.example", 65535)),
        (" PLAINTEXT://h:1 ", Listener("PLAINTEXT", "h", 1)),
    ],
)
def test_how_a_listener_is_written(text: str, listener: Listener) -> None:
    assert parse_listener("listeners", text) == listener


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost:9092",
        "PLAINTEXT:localhost:9092",
        "PLAINTEXT://localhost",
        "PLAINTEXT://localhost:",
        "PLAINTEXT://localhost:x",
        "PLAINTEXT://localhost:65536",
        "PLAINTEXT://localhost:-1",
        "PLAINTEXT://::1:9092",
        "PLAINTEXT://[::1:9092",
        "://localhost:9092",
        "PLAINTEXT://a b:9092",
    ],
)
def test_what_is_no_listener(text: str) -> None:
    with pytest.raises(UsageError, match=r"^listeners="):
        parse_listener("listeners", text)


@given(
    st.from_regex(r"[A-Z_]{1,8}", fullmatch=True),
    st.sampled_from(["", "localhost", "0.0.0.0", "::", "fe80::1", "a.example"]),
    st.integers(0, 65535),
)
def test_a_listener_is_read_back_from_its_text(name: str, host: str, port: int) -> None:
    listener = Listener(name, host, port)
    assert parse_listener("listeners", str(listener)) == listener


def test_without_configuration_only_this_machine_is_served() -> None:
    config = resolve()
    assert config.listeners == (Listener("PLAINTEXT", "127.0.0.1", 9092),)
    assert config.advertised_listeners == config.listeners
    assert config.inter_broker_listener_name == "PLAINTEXT"
    assert not config.listeners[0].everywhere


def test_several_listeners_have_their_own_advertised_addresses() -> None:
    config = resolve(
        listeners="INSIDE://10.0.0.1:9092,OUTSIDE://[::]:9093",
        advertised_listeners="OUTSIDE://broker.example:19093",
        listener_security_protocol_map="INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT",
        inter_broker_listener_name="inside",
    )
    assert config.listeners == (Listener("INSIDE", "10.0.0.1", 9092), Listener("OUTSIDE", "::", 9093))
    assert config.advertised_listeners == (
        Listener("INSIDE", "10.0.0.1", 9092),
        Listener("OUTSIDE", "broker.example", 19093),
    )
    assert config.inter_broker_listener_name == "INSIDE"
    assert [listener.everywhere for listener in config.listeners] == [False, True]


@pytest.mark.parametrize("host", ["", "0.0.0.0", "[::]"])
def test_a_host_that_clients_cannot_use_is_left_for_the_server_to_fill_in(host: str) -> None:
    (advertised,) = resolve(listeners=f"PLAINTEXT://{host}:0").advertised_listeners
    assert (advertised.host, advertised.port) == ("", 0)


def test_listeners_of_kafkas_controllers_are_not_opened() -> None:
    config = resolve(
        listeners="PLAINTEXT://:9092,CONTROLLER://:9093",
        controller_listener_names="CONTROLLER",
        listener_security_protocol_map="CONTROLLER:SSL,PLAINTEXT:PLAINTEXT",
    )
    assert [listener.name for listener in config.listeners] == ["PLAINTEXT"]


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ({"listeners": "PLAINTEXT://a:1,PLAINTEXT://a:2"}, "two listeners have the name PLAINTEXT"),
        ({"listeners": ""}, "at least one listener"),
        ({"listeners": "C://:1", "controller.listener.names": "C"}, "at least one listener"),
        ({"listeners": "SSL://a:1"}, "SSL is not served"),
        ({"listeners": "SASL_SSL://a:1"}, "SASL_SSL is not served"),
        ({"listeners": "INSIDE://a:1"}, r"INSIDE.*add INSIDE:PLAINTEXT to listener\.security\.protocol\.map"),
        (
            {
                "listeners": "A://a:1,B://a:1",
                "listener.security.protocol.map": "A:PLAINTEXT,B:PLAINTEXT",
            },
            "two listeners have the address a:1",
        ),
        ({"listener.security.protocol.map": "A:NONE"}, "A:NONE: expected NAME:PROTOCOL"),
        ({"listener.security.protocol.map": "PLAINTEXT"}, "expected NAME:PROTOCOL"),
        ({"advertised.listeners": "OTHER://a:1"}, "no listener of that name"),
        ({"advertised.listeners": "PLAINTEXT://0.0.0.0:1"}, "cannot connect to 0.0.0.0"),
        ({"advertised.listeners": "PLAINTEXT://:1"}, "cannot connect to no host"),
        ({"advertised.listeners": "PLAINTEXT://a:1,PLAINTEXT://b:1"}, "two listeners have the name"),
        ({"inter.broker.listener.name": "PLAINTXT"}, r"did you mean PLAINTEXT\?"),
    ],
)
def test_listeners_that_contradict_each_other_are_refused(properties: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        BrokerConfig.resolve(properties)


def test_two_listeners_may_both_take_a_free_port() -> None:
    protocols = "A:PLAINTEXT,B:PLAINTEXT"
    config = resolve(listeners="A://localhost:0,B://localhost:0", listener_security_protocol_map=protocols)
    assert len(config.listeners) == 2
